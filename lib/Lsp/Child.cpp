//===- Child.cpp - A process that one talks to ----------------------------===//

#include "Child.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::tile;

extern char **environ;

Child::Child(const std::vector<std::string> &command, int inputFile) {
  // Other children get none of these: a pipe ends when its one writer does.
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0)
    return;
  if (pipe2(fromChild, O_CLOEXEC) != 0) {
    close(toChild[0]);
    close(toChild[1]);
    return;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(
      &actions, inputFile >= 0 ? inputFile : toChild[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO);
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  if (posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(),
                   environ) != 0)
    pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(toChild[0]);
  close(fromChild[1]);
  input = toChild[1];
  output = fromChild[0];
}

Child::~Child() {
  kill();
  wait();
  for (int file : {input, output})
    if (file >= 0)
      close(file);
}

void Child::kill() {
  if (pid > 0)
    ::kill(pid, SIGKILL);
}

int Child::wait() {
  if (pid <= 0)
    return 0;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool mlir::tile::writeAll(int file, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += count;
  }
  return true;
}
