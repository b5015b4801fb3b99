#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

bool checkAt(bool condition, const char *text, const char *file, int line) {
  ++checks;
  if (!condition) {
    ++failures;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
  }
  return condition;
}

int finishChecks(void) {
  printf("%d checks, %d failed\n", checks, failures);
  return checks == 0 || failures != 0;
}

void appendText(Text *text, const char *data, size_t length) {
  text->data = realloc(text->data, text->length + length + 1);
  if (!text->data)
    exit(1);
  memcpy(text->data + text->length, data, length);
  text->length += length;
  text->data[text->length] = 0;
}

bool hasText(const Text *text, const char *part) {
  return text->data && strstr(text->data, part);
}

void clearText(Text *text) {
  free(text->data);
  text->data = NULL;
  text->length = 0;
}
