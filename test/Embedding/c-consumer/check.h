/* What the tests of the C API share: checks that are counted, and texts that callbacks
   collect. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Counts a check; prints where it is not true. */
#define CHECK(condition) checkAt((condition), #condition, __FILE__, __LINE__)
bool checkAt(bool condition, const char *text, const char *file, int line);

/* "N checks, N failed"; the exit status. */
int finishChecks(void);

/* Text that grows; starts as {NULL, 0}, ends with clearText. */
typedef struct Text {
  char *data;
  size_t length;
} Text;
void appendText(Text *text, const char *data, size_t length);
bool hasText(const Text *text, const char *part);
void clearText(Text *text);

#endif
