#!/usr/bin/env python3
"""Tests golden.py: number formats against Python's own, tolerances at their
bounds, answer files read as written."""

import math
import random
import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import golden  # noqa: E402
from golden_cases import CASES, Tolerance, bf16_bits, f32_bits  # noqa: E402


class Formats(unittest.TestCase):
    def test_decode_is_what_python_decodes(self):
        source = random.Random(1)
        for kind, code, word in (("f64", "<d", "<Q"), ("f32", "<f", "<I"),
                                 ("f16", "<e", "<H")):
            width = 8 * golden.FLOATS[kind][0]
            for bits in [0, 1 << width - 1] + [source.getrandbits(width)
                                               for _ in range(2000)]:
                expected = struct.unpack(code, struct.pack(word, bits))[0]
                actual = golden.decode(kind, bits)
                self.assertTrue(actual == expected or
                                math.isnan(actual) and math.isnan(expected))

    def test_bf16_is_the_upper_half_of_f32_rounded_to_even(self):
        self.assertEqual(bf16_bits(1.0), 0x3f80)
        self.assertEqual(bf16_bits(1 + 2**-8), 0x3f80)
        self.assertEqual(bf16_bits(1 + 3 * 2**-8), 0x3f82)
        self.assertEqual(golden.decode("bf16", 0x3f81), 1 + 2**-7)


class Tolerances(unittest.TestCase):
    def test_units_in_the_last_place(self):
        one = f32_bits(1.0)
        two = Tolerance("f32", ulps=2)
        self.assertTrue(golden.is_close(two, one + 2, one))
        self.assertFalse(golden.is_close(two, one + 3, one))
        # Across zero, and into infinity.
        self.assertTrue(golden.is_close(two, 0x80000001, 0x00000001))
        self.assertFalse(golden.is_close(two, 0x80000002, 0x00000001))
        self.assertTrue(golden.is_close(two, 0x7f800000, 0x7f7fffff))

    def test_exact_is_exact_but_for_the_bits_of_nan(self):
        exact = Tolerance("f32")
        self.assertFalse(golden.is_close(exact, 0x3f800001, 0x3f800000))
        self.assertFalse(golden.is_close(exact, 0x80000000, 0))
        self.assertTrue(golden.is_close(exact, 0x7fffffff, 0x7fc00000))
        self.assertFalse(golden.is_close(Tolerance("u32"), 1, 2))

    def test_relative_and_absolute(self):
        bound = Tolerance("f32", rtol=2**-10, atol=0.5)
        self.assertTrue(golden.is_close(bound, f32_bits(1025.5),
                                        f32_bits(1024.0)))
        self.assertFalse(golden.is_close(bound, f32_bits(1025.625),
                                         f32_bits(1024.0)))
        self.assertFalse(golden.is_close(bound, 0x7f800000, f32_bits(1.0)))
        self.assertFalse(golden.is_close(bound, 0x7fc00000, f32_bits(1.0)))


class Answers(unittest.TestCase):
    def test_inputs_are_the_same_every_time(self):
        for case in CASES:
            self.assertEqual(golden.get_digest(case), golden.get_digest(case))
            for words in case.make_inputs():
                self.assertEqual(len(words), case.threads, case.name)

    def test_an_answer_is_read_as_written(self):
        case = golden.find_case("atom.add.f16x2")
        results = [(4, list(range(case.threads))),
                   (4, [0xffffffff] * case.threads)]
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory)
            self.assertIsNone(golden.read_answer(case, folder))
            golden.write_answer(case, folder, results, {"device": "a device"})
            answer = golden.read_answer(case, folder)
        self.assertEqual(answer[0]["device"], "a device")
        self.assertEqual(answer[1], results[0][1] + results[1][1])
        self.assertEqual(golden.compare(case, results, answer), [])
        results[1][1][7] = 0
        problems = golden.compare(case, results, answer)
        self.assertEqual(len(problems), 1)
        self.assertIn("2 elements differ; the first is 14: 0000 (0), recorded "
                      "ffff (nan)", problems[0])


unittest.main()
