"""The best tiles of gemm.py for one size, by the model of the emulator's counts.

A candidate that does not compile is in the table with its error: 100 is no multiple of 8.

    python python/examples/tune_gemm.py
"""
import numpy
from gemm import gemm

import tilec

if __name__ == "__main__":
    random = numpy.random.default_rng(0)
    a = random.standard_normal((256, 128)).astype(numpy.float16)
    b = random.standard_normal((128, 256)).astype(numpy.float16)
    c = numpy.zeros((256, 256), numpy.float16)
    result = tilec.tune(gemm, {"tile_m": [64, 128], "tile_n": [64, 100, 128], "stages": [1, 3]},
                        arguments=[a, b, c], chip="sm_90a",
                        where=lambda tile_m, tile_n, stages: stages == 3 or tile_m == tile_n)
    print(result)
    print("best:", result.best.parameters)
