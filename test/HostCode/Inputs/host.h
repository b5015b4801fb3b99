// Arrays for programs that call host functions: filled, copied to the device, kept as
// .npy files before and after a call, for tile-run to compare.
#ifndef HOST_H
#define HOST_H

#include "tile-rt/tileRt.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANK 4

struct Array {
  const char *descr; // as in an .npy file: "<f4"
  int rank;
  int64_t sizes[MAX_RANK];
  size_t bytes;
  char *host;
  void *device;
};

// Ends the program where a call failed.
static inline void check(int status, const char *what) {
  if (status == 0)
    return;
  printf("%s: status %d: %s\n", what, status, tileRtLastError());
  exit(1);
}

static inline size_t elementBytes(const char *descr) {
  return (size_t)atoi(descr + 2);
}

// Numbers from 1 on, modulo 61: exact in every type that is used.
static inline void fill(struct Array *array) {
  size_t width = elementBytes(array->descr), count = array->bytes / width;
  for (size_t i = 0; i < count; ++i) {
    int64_t number = (int64_t)(i % 61) + 1;
    double wide = (double)number;
    float single = (float)number;
    void *from = &number;
    if (array->descr[1] == 'f')
      from = width == 8 ? (void *)&wide : (void *)&single;
    memcpy(array->host + i * width, from, width);
  }
}

static inline struct Array makeArray(const char *descr, int rank, int64_t a,
                                     int64_t b, int64_t c, int64_t d) {
  struct Array array = {descr, rank, {a, b, c, d}, 0, NULL, NULL};
  array.bytes = elementBytes(descr);
  for (int dim = 0; dim < rank; ++dim)
    array.bytes *= (size_t)array.sizes[dim];
  array.host = malloc(array.bytes + 1);
  fill(&array);
  check(tileRtAllocate(&array.device, array.bytes), "tileRtAllocate");
  check(tileRtCopyToDevice(array.device, array.host, array.bytes),
        "tileRtCopyToDevice");
  return array;
}

// Writes DIRECTORY/NAME.npy, by the format's description.
static inline void save(const struct Array *array, const char *directory,
                        const char *name) {
  char path[1024], header[256];
  int length =
      sprintf(header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
              array->descr);
  for (int dim = 0; dim < array->rank; ++dim)
    length += sprintf(header + length, "%" PRId64 ",", array->sizes[dim]);
  length += sprintf(header + length, "), }");
  while ((10 + length + 1) % 64 != 0)
    header[length++] = ' ';
  header[length++] = '\n';
  sprintf(path, "%s/%s.npy", directory, name);
  FILE *file = fopen(path, "wb");
  if (!file) {
    printf("cannot write %s\n", path);
    exit(1);
  }
  unsigned char start[10] = {0x93,
                             'N',
                             'U',
                             'M',
                             'P',
                             'Y',
                             1,
                             0,
                             (unsigned char)(length % 256),
                             (unsigned char)(length / 256)};
  fwrite(start, 1, sizeof start, file);
  fwrite(header, 1, (size_t)length, file);
  fwrite(array->host, 1, array->bytes, file);
  fclose(file);
}

// Reads DIRECTORY/NAME.npy, as NumPy's version 1.0 has it, to the device.
static inline struct Array load(const char *directory, const char *name,
                                const char *descr) {
  struct Array array = {descr, 0, {0}, 0, NULL, NULL};
  unsigned char start[10];
  char path[1024], header[1024] = {0};
  sprintf(path, "%s/%s.npy", directory, name);
  FILE *file = fopen(path, "rb");
  size_t length = 0;
  if (file && fread(start, 1, sizeof start, file) == sizeof start)
    length = start[8] + 256u * start[9];
  if (length == 0 || length >= sizeof header ||
      fread(header, 1, length, file) != length || !strstr(header, descr)) {
    printf("cannot read %s as %s\n", path, descr);
    exit(1);
  }
  char *at = strstr(header, "'shape': (") + strlen("'shape': (");
  array.bytes = elementBytes(descr);
  while (*at != ')') {
    array.sizes[array.rank] = strtol(at, &at, 10);
    array.bytes *= (size_t)array.sizes[array.rank++];
    at += strspn(at, ", ");
  }
  array.host = malloc(array.bytes + 1);
  if (fread(array.host, 1, array.bytes, file) != array.bytes) {
    printf("%s is too short\n", path);
    exit(1);
  }
  fclose(file);
  check(tileRtAllocate(&array.device, array.bytes), "tileRtAllocate");
  check(tileRtCopyToDevice(array.device, array.host, array.bytes),
        "tileRtCopyToDevice");
  return array;
}

static inline void discard(struct Array *array) {
  check(tileRtRelease(array->device), "tileRtRelease");
  free(array->host);
}

// Takes the device's copy back and saves it.
static inline void finish(struct Array *array, const char *directory,
                          const char *name) {
  check(tileRtCopyToHost(array->host, array->device, array->bytes),
        "tileRtCopyToHost");
  save(array, directory, name);
  discard(array);
}

#endif // HOST_H
