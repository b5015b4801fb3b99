//===- interruptible.h - Runs that Ctrl-C ends ------------------*- C++ -*-===//

#ifndef TILEC_BINDINGS_INTERRUPTIBLE_H
#define TILEC_BINDINGS_INTERRUPTIBLE_H

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>
#include <utility>

/// What `run()` gives, from a thread of its own: handlers of signals are Python's, and run
/// in the thread that calls, which waits without the interpreter's lock and looks for them
/// now and then. Where one raises, as that of Ctrl-C does, `interrupt()` is called, which
/// makes `run` end soon, and what was raised is thrown.
template <typename Run, typename Interrupt>
auto runInterruptibly(Run run, Interrupt interrupt) {
  constexpr auto tick = std::chrono::milliseconds(20);
  auto result = std::async(std::launch::async, std::move(run));
  auto isReady = [&] {
    nanobind::gil_scoped_release released;
    return result.wait_for(tick) == std::future_status::ready;
  };
  while (!isReady()) {
    if (PyErr_CheckSignals() == 0)
      continue;
    nanobind::python_error raised;
    interrupt();
    while (!isReady())
      ;
    throw raised;
  }
  return result.get();
}

#endif // TILEC_BINDINGS_INTERRUPTIBLE_H
