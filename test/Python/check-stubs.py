#!/usr/bin/env python3
"""Compares the stubs of the package with what nanobind makes of its native modules.

check-stubs.py [--fix] PACKAGE VENV: PACKAGE is python/tilec, VENV an environment in which tilec is
installed. --fix writes them.
"""
import sys
import sysconfig
from pathlib import Path

MODULES = ("_emulator", "_native")


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--fix"]
    package, venv = map(Path, arguments)
    site = next(venv.glob("lib/python*/site-packages"))
    sys.path.insert(0, str(site))
    from nanobind.stubgen import main as stubgen
    differ = []
    for module in MODULES:
        stub = package / f"{module}.pyi"
        fresh = Path(sysconfig.get_paths()["data"]) / f"{module}.pyi"
        stubgen(["-q", "-m", f"tilec.{module}", "-o", str(fresh)])
        text = fresh.read_text()
        fresh.unlink()
        if "--fix" in sys.argv:
            stub.write_text(text)
        elif not stub.exists() or stub.read_text() != text:
            differ.append(stub)
    for stub in differ:
        print(f"{stub} is not what nanobind.stubgen makes: run check-stubs.py --fix")
    return 1 if differ else 0


sys.exit(main())
