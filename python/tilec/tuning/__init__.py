"""Finding the best parameters of a program: `tilec.tune`.

    result = tilec.tune(gemm, {"tile_m": [64, 128], "tile_n": [64, 128], "stages": [2, 3]},
                        arguments=[a, b, c], chip="sm_90a",
                        where=lambda tile_m, tile_n, **_: tile_m * tile_n <= 128 * 128)
    print(result)                     # a table, the best first
    program = result.best.program.compile(chip="sm_90a")

Each candidate is built here, which takes milliseconds, and compiled and run wherever an
executor says, in a process of its own. docs/PythonLanguage.md ("Trying parameters") has the
rules, `model.py` what the ranking without a GPU knows and does not.
"""
from .cache import Cache
from .candidates import grid
from .model import MODEL_VERSION, Estimate, estimate
from .search import Trial, Tuning, TuningError, tune

__all__ = ["Cache", "Estimate", "MODEL_VERSION", "Trial", "Tuning", "TuningError", "estimate",
           "grid", "tune"]
