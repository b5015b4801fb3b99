//===- Child.h - A process that one talks to --------------------*- C++ -*-===//

#ifndef TILE_LIB_LSP_CHILD_H
#define TILE_LIB_LSP_CHILD_H

#include <string>
#include <vector>

#include <sys/types.h>

namespace mlir::tile {

/// A child process with a pipe from its standard output, and one to its standard input
/// unless that is a file. Ends it when it goes.
class Child {
public:
  /// Starts `command`; `isRunning` says whether that worked. It reads from `inputFile`
  /// where there is one.
  explicit Child(const std::vector<std::string> &command, int inputFile = -1);
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  bool isRunning() const { return pid > 0; }
  int getInput() const { return input; }
  int getOutput() const { return output; }
  /// Ends the process without waiting for it.
  void kill();
  /// Waits for its end: its exit status, or the negative number of a signal.
  int wait();

private:
  pid_t pid = -1;
  int input = -1, output = -1;
};

/// Writes all of `text`; false where the other end is closed.
bool writeAll(int file, const std::string &text);

} // namespace mlir::tile

#endif // TILE_LIB_LSP_CHILD_H
