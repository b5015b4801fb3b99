"""Runs a tool on a text and says in a few words how it ended."""

import collections
import os
import re
import resource
import signal
import subprocess
import tempfile


# A busy machine is no failure: processor time counts, and elapsed time only far beyond.
PATIENCE = 12


def run(command, text, timeoutSeconds):
    """Exit status (None after a timeout) and output; `@` in the command is the file."""
    limit = max(1, int(timeoutSeconds))

    def limitTime():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(text)
        words = [path if word == "@" else word for word in command]
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeoutSeconds * PATIENCE,
                                  preexec_fn=limitTime)
            output = done.stdout.decode(errors="replace").replace(path, "program.mlir")
            isLate = done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return (None if isLate else done.returncode), output
        except subprocess.TimeoutExpired as expired:
            output = (expired.stdout or b"").decode(errors="replace")
            return None, output.replace(path, "program.mlir")


def comparedElements(output):
    """How many elements were compared with which outcome, by name."""
    total = collections.Counter()
    for verdict in re.findall(r"^argument .*", output, re.M):
        for name in ("exact", "within", "not checkable"):
            for number in re.findall(rf"\b(\d+) {name}\b", verdict):
                total[f"elements {name}"] += int(number)
    return total


CRASH = re.compile(r"LLVM ERROR|Assertion|PLEASE submit a bug report|Stack dump|UNREACHABLE")


def kindOf(status, output):
    """The way in which a run failed, without numbers and names; empty if it did not."""
    if status is None:
        return "timeout"
    if status < 0 or status >= 128 or CRASH.search(output):
        return f"crash {status}"
    if status == 0:
        return ""
    if re.search(r"^after [a-z-]+: (?!equal)", output, re.M):
        first = re.search(r"^after ([a-z-]+): (?!equal)", output, re.M)
        return f"stage {first.group(1)}"
    for verdict in ("DIFFERENT", "NOT CHECKABLE"):
        if re.search(rf"^(?:argument|result) .* {verdict}\b", output, re.M):
            return verdict.lower()
    message = re.search(r"(?:error|report): .*", output)
    if message:
        words = re.sub(r"'[^']*'|%\w+|<[^>]*>|\d+", "_", message.group(0))
        return words[:70]
    return f"exit {status}"
