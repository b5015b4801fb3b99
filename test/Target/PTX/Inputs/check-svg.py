#!/usr/bin/env python3
"""Prints the words of an SVG document in order: check-svg.py FILE.

Fails where it is no well-formed XML, or where something lies outside of it.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    if root.tag != SVG + "svg":
        sys.exit(f"check-svg: the root is {root.tag}")
    width, height = int(root.get("width")), int(root.get("height"))
    for element in root.iter():
        if element.tag == SVG + "text":
            print("text:", element.text)
        elif element.tag == SVG + "rect" and element.find(SVG + "title") is not None:
            left, top = int(element.get("x")), int(element.get("y"))
            right = left + int(element.get("width"))
            bottom = top + int(element.get("height"))
            if not (0 <= left < right <= width and 0 <= top < bottom <= height):
                sys.exit(f"check-svg: {element.attrib} is outside")
            print("box:", element.find(SVG + "title").text)


if __name__ == "__main__":
    main()
