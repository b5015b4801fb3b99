#!/usr/bin/env python3
"""What the fuzzers take the end of a run for: see kindOf in tilefuzz/process.py."""

import sys
import unittest

from tilefuzz.process import comparedElements, kindOf

EQUAL = "argument 0: memref<8xf32> equal: 8 elements (6 exact, 2 within their bounds)\n"
DIFFERENT = ("argument 1: memref<8xf32> DIFFERENT: 1 of 8 elements (7 exact; largest "
             "difference 1 at [3]); first at [3]: 4, expected 3 exactly\n")
UNCHECKED = ("argument 1: memref<8xf32> NOT CHECKABLE: 2 of 8 elements, more than 1%, have "
             "bounds above the root mean square 8.1 (6 exact, 2 not checkable)\n")


class Kinds(unittest.TestCase):
    def testWhatIsRight(self):
        self.assertEqual(kindOf(0, EQUAL), "")

    def testComparison(self):
        self.assertEqual(kindOf(1, EQUAL + DIFFERENT), "different")
        self.assertEqual(kindOf(1, EQUAL + UNCHECKED), "not checkable")
        self.assertEqual(kindOf(1, UNCHECKED + DIFFERENT), "different")

    def testStages(self):
        text = "after cse: equal\nafter tile-plan-roles: " + DIFFERENT
        self.assertEqual(kindOf(1, text), "stage tile-plan-roles")

    def testMessages(self):
        first = kindOf(1, "program.mlir:3:5: error: 'tile.load' op has 3 boxes\n")
        self.assertEqual(first, "error: _ op has _ boxes")
        self.assertEqual(kindOf(1, EQUAL + "error: data race\n"), "error: data race")
        self.assertEqual(kindOf(1, EQUAL), "exit 1")

    def testCrashes(self):
        self.assertEqual(kindOf(-11, ""), "crash -11")
        self.assertEqual(kindOf(1, "LLVM ERROR: out of memory"), "crash 1")
        self.assertEqual(kindOf(None, ""), "timeout")

    def testCounts(self):
        total = comparedElements(EQUAL + UNCHECKED)
        self.assertEqual(dict(total), {"elements exact": 12, "elements within": 2,
                                       "elements not checkable": 2})


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
