"""The command line tools of the build, as tests use them."""
import os
import subprocess
import tempfile

import numpy
from paths import TOOLS


class Tools:
    """tile-opt and tile-run on the text of a program."""

    @staticmethod
    def run(tool, text, *options):
        """The finished process; the text goes to standard input."""
        return subprocess.run([TOOLS / tool, "-", *options], input=text, text=True,
                              capture_output=True, timeout=300)

    def verify(self, text):
        """The program is one: prints what is wrong with it otherwise."""
        process = self.run("tile-opt", text, "-o", os.devnull)
        assert process.returncode == 0, process.stderr + text

    def diagnose(self, text):
        """What tile-opt says of a program that is none."""
        process = self.run("tile-opt", text, "-o", os.devnull)
        assert process.returncode == 1, text
        return process.stderr

    def compile_to_ptx(self, text, chip="sm_80"):
        """PTX without places of the source."""
        process = self.run("tile-opt", text, "--emit=ptx", "--line-info=false",
                           f"--chip={chip}")
        assert process.returncode == 0, process.stderr
        return process.stdout

    def check(self, text, *options):
        """Runs a program in the emulator and compares it with the reference."""
        process = self.run("tile-run", text, "--on=emulator", "--chip=sm_80", "--check",
                           *options)
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    def run_arrays(self, text, *arguments):
        """Runs the one function of a program in the emulator on NumPy arrays, which it
        changes, and on numbers."""
        with tempfile.TemporaryDirectory() as folder:
            options, files = [], {}
            for number, argument in enumerate(arguments):
                if not isinstance(argument, numpy.ndarray):
                    options.append(f"--scalar={number}:{argument}")
                    continue
                files[number] = f"{folder}/{number}.npy"
                numpy.save(files[number], argument)
                options += [f"--in={number}:{files[number]}", f"--out={number}:{files[number]}"]
            self.check(text, *options)
            for number, file in files.items():
                arguments[number][...] = numpy.load(file)
