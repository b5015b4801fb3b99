#!/usr/bin/env python3
"""Tests of the tests: run-mutants.py SOURCE BUILD (--check | --header | MUTANT...)

A mutant is the compiler with one small mistake of the kind one makes: a comparison off
by one, a condition forgotten, a hazard not seen. mutants.ini lists them, each with the
test that must notice. This program

  1. replaces the texts in a copy of the source file, those of all mutants of one file,
     which are switched at run time (switched.py),
  2. compiles the copy with the command of compile_commands.json, not optimized,
  3. links it into copies of the tools that the tests run: an object on the command line
     comes before the archive, whose own member is then not needed,
  4. demands that each test passes with the true tools and fails with its mutant.

Everything but that header is written into a temporary directory; neither the sources
nor the build are touched. A text that does not stand exactly once in its file is an
error, so that the table keeps up with the code. --check demands that, and that the tests exist, of every
row and compiles nothing. --header precompiles the headers without optimization, once for
all mutants: those of the build and the compiler's own, so that no function of a file can
have the name of one in any public header.

Exit status 77 means skipped: a build without Ninja.
"""

import argparse
import configparser
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import switched

SKIPPED = 77
TIMEOUT_S = 120
KEYS = {"breaks", "file", "find", "with", "test"}


class Mistake(Exception):
    """A row, a build or a test that is not as it has to be."""


def run(command, cwd=None, timeout=None, mutant=0):
    """Runs `command`, in which mutants are those of number `mutant`."""
    # Options of an outer lit would have its report written anew.
    environment = {name: value for name, value in os.environ.items()
                   if name != "LIT_OPTS"}
    environment[switched.VARIABLE] = str(mutant)
    words = [str(word) for word in command]
    with subprocess.Popen(words, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment, cwd=cwd,
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except BaseException:
            # With all that it has started.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, process.returncode, output)


def read_table(path):
    table = configparser.RawConfigParser(
        delimiters=("=",), comment_prefixes=("#",), inline_comment_prefixes=None)
    table.read(path)
    rows = {name: dict(table[name]) for name in table.sections()}
    for name, row in rows.items():
        if set(row) != KEYS:
            raise Mistake(f"{name}: needs exactly {', '.join(sorted(KEYS))}")
    return rows


def check_text(source, name, row):
    path = source / row["file"]
    if not path.exists():
        raise Mistake(f"{name}: there is no {row['file']}")
    count = path.read_text().count(row["find"])
    if count != 1:
        raise Mistake(f"{name}: '{row['find']}' stands {count} times in "
                      f"{row['file']}, not once")


#===-----------------------------------------------------------------------===#
# Tests: "lit PATH", "unit PROGRAM FILTER", "example CHECK NAME CHIP"
#===-----------------------------------------------------------------------===#

def get_programs(source, name, row):
    """The programs of the build that a row's test runs; checks that it exists."""
    kind, *words = row["test"].split()
    if kind == "lit" and len(words) == 1:
        path = source / "test" / words[0]
        if not path.exists():
            raise Mistake(f"{name}: there is no test {words[0]}")
        lines = "\n".join(re.findall(r"(?:RUN|DEFINE): .*", path.read_text()))
        programs = set(re.findall(
            r"tile-(?:test-)?opt|(?:tile|ptx)-run|tile-(?:lsp-server|reduce)", lines))
        if not programs:
            raise Mistake(f"{name}: no line of {words[0]} names a program")
        return sorted(programs)
    if kind == "unit" and len(words) == 2:
        suite, case = words[1].split(".")
        tests = (source / "test/unit").rglob("*.cpp")
        if not any(re.search(rf"TEST\w*\({suite}, {case}\)", test.read_text())
                   for test in tests):
            raise Mistake(f"{name}: there is no test {words[1]}")
        return [words[0]]
    if kind == "example" and len(words) == 3:
        if not (source / "examples" / f"{words[1]}.mlir").exists():
            raise Mistake(f"{name}: there is no example {words[1]}")
        return ["tile-opt", "tile-run"]
    raise Mistake(f"{name}: '{row['test']}' is no kind of test; known: lit PATH, "
                  "unit PROGRAM SUITE.CASE, example CHECK NAME CHIP")


def get_test_command(source, build, work, programs, test):
    kind, *words = test.split()
    if kind == "unit":
        return [programs / words[0], f"--gtest_filter={words[1]}"]
    if kind == "example":
        check, example, chip = words
        return [sys.executable, source / "test/Examples/check-example.py", check,
                programs, source / "examples" / f"{example}.mlir", chip]
    site = work / "test/lit.site.cfg.py"
    site.parent.mkdir(exist_ok=True)
    text = (build / "test/lit.site.cfg.py").read_text()
    text = re.sub(r'(config\.tile_binary_dir = r").*?(")',
                  lambda match: f"{match[1]}{work}{match[2]}", text)
    # Of its own environment lit hands on what it knows.
    site.write_text(f"{text}\nimport os\nconfig.environment['{switched.VARIABLE}'] = "
                    f"os.environ['{switched.VARIABLE}']\n")
    lit = re.search(r"^TILE_LIT:\w+=(.*)$",
                    (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return [lit[1], "-a", f"--param=tile_tools_dir={programs}",
            work / "test" / words[0]]


def passes(command, mutant=0):
    """Whether the test passes, and what it says. One that hangs does not."""
    try:
        result = run(command, timeout=TIMEOUT_S, mutant=mutant)
    except subprocess.TimeoutExpired:
        return False, f"not done after {TIMEOUT_S} s"
    ran = not re.search(r"did not discover any tests|Running 0 tests|Unsupported",
                        result.stdout)
    return result.returncode == 0 and ran, result.stdout


def passed_in_lit(build, test, newest):
    """Whether the report of a run of all tests by lit (scripts/test has it written) that
    began after `newest` says that `test` passed."""
    report = build / "lit-results.xml"
    kind, *words = test.split()
    if kind != "lit" or not report.exists():
        return False
    root = ElementTree.parse(report).getroot()
    if report.stat().st_mtime - float(root.get("time")) < newest:
        return False
    path = Path(words[0])
    return any(case.get("name") == path.name and not len(case) and
               case.get("classname") == f"Tile.{path.parent}"
               for case in root.iter("testcase"))


def demand_passes(source, build, work, programs, test):
    """That the test passes with the true tools. Many rows share a test: one that has
    passed is not run again before a program or a file of the tests changes."""
    stamp = build / "test/Mutants/passed" / re.sub(r"\W+", "-", test)
    inputs = [build / "bin" / program for program in programs]
    for folder in ["test", "examples"]:
        # What Python keeps there is written as tests run.
        inputs += (path for path in (source / folder).rglob("*")
                   if path.is_file() and path.suffix != ".pyc")
    newest = max(path.stat().st_mtime for path in inputs)
    if stamp.exists() and stamp.stat().st_mtime > newest:
        return
    if passed_in_lit(build, test, newest):
        return
    begun = time.time()
    passed, output = passes(
        get_test_command(source, build, work, build / "bin", test))
    if not passed:
        raise Mistake(f"{test} fails without the mutant:\n{output}")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.touch()
    os.utime(stamp, (begun, begun))


#===-----------------------------------------------------------------------===#
# Building
#===-----------------------------------------------------------------------===#

def find_headers(build):
    """The build's precompiled headers, as the compiler includes them: what sees MLIR has
    one, what does not another. With each the one that mutants are compiled with instead;
    they are precompiled beside themselves, in a .pch."""
    return {build / f"CMakeFiles/Tile{kind}Header.dir/cmake_pch.hxx":
            build / f"test/Mutants/{kind}_pch.hxx"
            for kind in ("Precompiled", "Standard")}


def get_compile_command(build, source, target):
    """The words with which the build compiles `source`, into `target` and without
    optimization, which takes most of the time; and where they are run."""
    commands = json.loads((build / "compile_commands.json").read_text())
    entry = next((entry for entry in commands
                  if Path(entry["file"]) == source), None)
    if not entry:
        raise Mistake(f"{source} is not compiled in this build")
    words = shlex.split(entry["command"])
    words[words.index("-o") + 1] = str(target)
    return [word for word in words if not re.fullmatch("-O.", word)], \
        entry["directory"]


def compile_headers(source, build):
    """Precompiles what the build does, and for what sees MLIR the compiler's own headers
    besides, which take half of a mutant's time."""
    own = {folder: sorted(folder.rglob("tile/**/*.h"))
           for folder in (source / "include", build / "include")}
    generated = list((build / "include").rglob("*.inc"))
    mlir, standard = find_headers(build).items()
    compile_header(build, *mlir, own, generated)
    compile_header(build, *standard, {}, [])


def compile_header(build, original, header, own, generated):
    """Precompiles as `header` what `original` is and the `own` ones, by folder; again where
    it is older than the build's, one of those or of the `generated` files they include."""
    if not original.exists():
        return
    precompiled = Path(f"{header}.pch")
    inputs = [Path(f"{original}.pch"), *sum(own.values(), []), *generated]
    if precompiled.exists() and \
            precompiled.stat().st_mtime > max(path.stat().st_mtime for path in inputs):
        return
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(original.read_text() + "".join(
        f'#include "{path.relative_to(folder)}"\n'
        for folder, paths in own.items() for path in paths))
    words, directory = get_compile_command(
        build, Path(f"{original}.cxx"), precompiled)
    words = [str(header) if word == str(original) else word for word in words]
    result = run(words + [f"-I{folder}" for folder in own], cwd=directory)
    if result.returncode:
        raise Mistake(f"the header does not compile:\n{result.stdout}")


def compile_mutant(source, build, work, file, text):
    """Compiles `text` as the source `file`; the object."""
    original = source / file
    mutant = work / original.name
    mutant.write_text(text)
    words, directory = get_compile_command(build, original, work / "mutant.o")
    instead = {f"{built}{ending}": f"{header}{ending}"
               for built, header in find_headers(build).items()
               for ending in ("", ".pch")}
    words = [instead.get(word, word) for word in words]
    words[words.index("-c") + 1] = str(mutant)
    words += ["-w", "-iquote", str(original.parent)]
    result = run(words, cwd=directory)
    if result.returncode:
        raise Mistake(f"the mutant does not compile:\n{result.stdout}")
    return work / "mutant.o"


def share_mlir(command):
    """The link of a program that holds MLIR (cmake/TileStaticMlir.cmake) with the
    shared libraries instead, which takes a tenth of the time; they bring the shared C++
    library, of which a program has one."""
    def replace(group):
        folder = Path(group.group(1).split()[0]).parent
        return f"{folder}/libMLIR.so {folder}/libLLVM.so -Wl,-rpath,{folder}"
    command = re.sub("-static-lib(stdc[+]{2}|gcc)", "", command)
    return re.sub(r"-Wl,--start-group (.*?) -Wl,--end-group", replace, command)


def link_mutant(build, work, program, mutant):
    """The program with the mutant's object before the archives."""
    commands = run(["ninja", "-C", build, "-t", "commands",
                    f"bin/{program}"]).stdout
    link = [line for line in commands.splitlines() if f"-o bin/{program} " in line]
    if len(link) != 1:
        raise Mistake(f"no command links bin/{program}")
    target = work / "bin" / program
    command = link[0].replace(f"-o bin/{program} ", f"-o {target} {mutant} ")
    result = run(["bash", "-c", share_mlir(command)], cwd=build)
    if result.returncode:
        raise Mistake(f"{program} does not link:\n{result.stdout}")


def make_tools(source, build, work, file, rows, text):
    """The tools that the tests of `rows` run, in `work`/bin, with `text` as `file`."""
    programs = {program for name, row in rows.items()
                for program in get_programs(source, name, row)}
    mutant = compile_mutant(source, build, work, file, text)
    (work / "bin").mkdir()
    for program in (build / "bin").iterdir():
        if program.name in programs:
            link_mutant(build, work, program.name, mutant)
        else:
            (work / "bin" / program.name).symlink_to(program)


#===-----------------------------------------------------------------------===#
# Running
#===-----------------------------------------------------------------------===#

def demand_true(source, build, work, name, row):
    """That the tools in `work` are the true ones as long as no mutant is chosen."""
    passed, output = passes(
        get_test_command(source, build, work, work / "bin", row["test"]))
    if not passed:
        raise Mistake(f"{row['test']} fails with the tools of {name} without a "
                      f"mutant:\n{output}")


def demand_notice(source, build, work, name, row, number):
    """That the row's test fails with mutant `number` of the tools in `work`."""
    programs = get_programs(source, name, row)
    demand_passes(source, build, work, programs, row["test"])
    # One that does not start would fail every test.
    if run([work / "bin" / programs[0], "--help"], mutant=number).returncode:
        raise Mistake(f"the mutant of {programs[0]} does not start")
    passed, output = passes(
        get_test_command(source, build, work, work / "bin", row["test"]), number)
    if passed:
        raise Mistake(f"survives: {row['test']} does not notice that {row['breaks']}")
    # Set in, so that nobody counts the failures that are wanted.
    print(f"{name}: noticed by {row['test']}")
    print("\n".join(f"  | {line}" for line in output[-2000:].splitlines()))


def run_alike(source, build, file, rows, text, numbers):
    """The mutants `rows` of `file` that `text` holds under their `numbers`, both by name;
    the mistakes."""
    mistakes = []
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory).resolve()
        make_tools(source, build, work, file, rows, text)
        for index, (name, row) in enumerate(rows.items()):
            try:
                if index == 0 and numbers[name]:
                    demand_true(source, build, work, name, row)
                demand_notice(source, build, work, name, row, numbers[name])
            except Mistake as mistake:
                mistakes.append(f"{name}: {mistake}")
    return mistakes


def run_mutants(source, build, file, rows):
    """The mutants `rows` of `file`, by name; the mistakes. Those that do not compile
    beside others are compiled alone."""
    original = (source / file).read_text()
    text, numbers = switched.switch(
        original, [(row["find"], row["with"]) for row in rows.values()])
    together = {name: number for name, number in zip(rows, numbers) if number}
    mistakes, alone = [], [name for name in rows if name not in together]
    try:
        if together:
            mistakes += run_alike(source, build, file,
                                  {name: rows[name] for name in together}, text,
                                  together)
    except Mistake:
        alone = list(rows)
    for name in alone:
        row = rows[name]
        try:
            mistakes += run_alike(source, build, file, {name: row},
                                  original.replace(row["find"], row["with"]),
                                  {name: 0})
        except Mistake as mistake:
            mistakes.append(f"{name}: {mistake}")
    return mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--header", action="store_true")
    parser.add_argument("mutants", nargs="*")
    arguments = parser.parse_args()
    source, build = arguments.source.resolve(), arguments.build.resolve()
    if not arguments.check and not (build / "build.ninja").exists():
        print("skipped: the link commands are asked of Ninja")
        return SKIPPED
    if arguments.header or arguments.mutants:
        compile_headers(source, build)
    table = read_table(source / "test/Mutants/mutants.ini")
    mistakes, files = [], {}
    for name in table if arguments.check else arguments.mutants:
        try:
            check_text(source, name, table[name])
            get_programs(source, name, table[name])
            files.setdefault(table[name]["file"], {})[name] = table[name]
        except Mistake as mistake:
            mistakes.append(f"{mistake}")
    if not arguments.check:
        for file, rows in files.items():
            mistakes += run_mutants(source, build, file, rows)
    if mistakes:
        print("\n".join(mistakes))
    elif arguments.check:
        print(f"{len(table)} rows, none out of date")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
