"""What the tests of scripts share that run on the test double of the driver."""

import os
import subprocess
import sys


def run(driver, command, **variables):
    """Runs `command` with the driver in the folder `driver`."""
    environment = os.environ | {"LD_LIBRARY_PATH": str(driver)} | variables
    return subprocess.run([str(word) for word in command], env=environment,
                          capture_output=True, text=True, check=False)


def expect(condition, what, result):
    """Ends the test with what a command printed unless `condition` holds."""
    if not condition:
        sys.exit(f"{what}: exit status {result.returncode}\n{result.stdout}"
                 f"{result.stderr}")
    print(f"ok: {what}")
