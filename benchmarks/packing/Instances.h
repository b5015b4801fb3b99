//===- Instances.h - Packing problems to measure with -----------*- C++ -*-===//

#ifndef TILE_BENCHMARKS_PACKING_INSTANCES_H
#define TILE_BENCHMARKS_PACKING_INSTANCES_H

#include "tile/Arena/Arena.h"

#include <istream>

/// A group of problems that share a line of the table.
struct Instances {
  std::string name;
  std::vector<tilec::arena::Problem> problems;
};

/// `count` problems of `bufferCount` buffers: sizes as tiles and scratch have
/// them, alignments of 16, 128 and 1024, lifetimes at random. Always the same.
Instances makeRandomInstances(int bufferCount, int count);

/// Problems as text, a line each for
///
///     instance NAME
///     buffer BYTES ALIGNMENT BEGIN END [BEGIN END]...
///
/// Ends the process with a message where a line is neither.
Instances readInstances(std::istream &in, std::string name);

#endif // TILE_BENCHMARKS_PACKING_INSTANCES_H
