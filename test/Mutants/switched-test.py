#!/usr/bin/env python3
"""What switched.py finds to be a body, and what it makes of it."""

import unittest

import switched

SOURCE = """\
static constexpr int most = 8; // not { within one
namespace tile {
struct Walk final : Base<int> {
  bool visit(Op op) const override {
    for (int i : {1, 2}) {
      use("}", '{', i);
    }
    return op.isLast();
  }
  int depth = 0;
};
static int count(int a) {
  auto twice = [](int b) { return 2 * b; };
  return twice(a) + a;
}
} // namespace tile
"""


class Bodies(unittest.TestCase):
    def find(self, what):
        code = switched.blank_no_code(SOURCE)
        begin = SOURCE.index(what)
        body = switched.find_body(code, begin, begin + len(what))
        return body and SOURCE[body[0]:body[1]].split()

    def test_outermost(self):
        self.assertEqual(self.find("'{'")[:2], ["for", "(int"])
        self.assertEqual(self.find("2 * b")[:2], ["auto", "twice"])
        self.assertEqual(self.find("a) + a;")[-3:], ["twice(a)", "+", "a;"])

    def test_outside(self):
        self.assertIsNone(self.find("most = 8"))
        self.assertIsNone(self.find("int depth = 0"))
        self.assertIsNone(self.find("visit(Op op) const override {"))


class Switches(unittest.TestCase):
    def test_numbers(self):
        text, numbers = switched.switch(
            SOURCE, [("2 * b", "3 * b"), ("most = 8", "most = 9"), ("+ a;", "- a;")])
        self.assertEqual(numbers, [1, None, 3])
        self.assertEqual(text.count("auto twice"), 3)
        self.assertIn("if (TILE_MUTANT == 1) {\n  auto twice = [](int b) { return 3 * b; };"
                      "\n  return twice(a) + a;\n} else if (TILE_MUTANT == 3) {", text)
        self.assertIn("return twice(a) - a;\n} else {\n  auto twice = [](int b) { return 2",
                      text)
        self.assertEqual(text.count("most = 8"), 1)
        self.assertTrue(text.startswith(switched.PREAMBLE))


if __name__ == "__main__":
    unittest.main()
