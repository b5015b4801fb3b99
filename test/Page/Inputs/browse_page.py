"""Opens a page in a headless browser, at a desk and on a phone, in light and in the dark.

A probe in a copy of the page collects errors of its script, measures it, presses its keys
and leaves what it found in the document; a screenshot shows whether anything was drawn.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

FIRST = """<script>
var errors = [];
addEventListener("error", (e) => errors.push(String(e.message)));
</script>"""

LAST = """<script>
addEventListener("load", () => {
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
  const found = {width: innerWidth};
  const details = Array.from(document.querySelectorAll(".source details"));
  press("j");
  found.next = details.indexOf(document.activeElement.closest("details"));
  press("k");
  press("e");
  found.open = details.filter((d) => d.open).length === details.length;
  found.overflow = document.documentElement.scrollWidth > innerWidth;
  press("e");
  found.closed = details.every((d) => !d.open);
  const before = getComputedStyle(document.body).backgroundColor;
  press("t");
  found.themes = before !== getComputedStyle(document.body).backgroundColor;
  press("t");
  found.sections = Array.from(document.querySelectorAll("h2, section h3"))
    .filter((h) => h.getBoundingClientRect().height > 0).map((h) => h.textContent);
  const link = document.querySelector(".notes a[href^='#k']");
  location.hash = link.getAttribute("href");
  dispatchEvent(new HashChangeEvent("hashchange"));
  found.lit = document.querySelectorAll(".ptx code.on").length;
  found.instructions = parseInt(link.textContent);
  found.small = Array.from(document.querySelectorAll("p, dd, td, code, small"))
    .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 11).length;
  found.errors = errors;
  const probe = document.createElement("pre");
  probe.id = "probe";
  probe.textContent = JSON.stringify(found);
  document.body.append(probe);
});
</script>"""


def browse(browser: str, *arguments: str) -> str:
    """What the browser prints."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--disable-dev-shm-usage", "--virtual-time-budget=2000", *arguments]
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(command + [f"--user-data-dir={profile}"], capture_output=True,
                              timeout=100, check=True)
    return done.stdout.decode()


def colors(path: str) -> int:
    """How many different values of red the picture has; 1 is a blank one."""
    with open(path, "rb") as file:
        data = file.read()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and depth == 8 and kind in (2, 6), path
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    rows = zlib.decompress(packed)
    stride = len(rows) // height
    # Rows are filtered; one of a single color gives two or three values at most.
    return max(len(set(rows[y * stride:(y + 1) * stride])) for y in range(height))


def check(browser: str, page: str, probed: str, width: int, dark: bool) -> list[str]:
    """What is wrong with a page at this width; `probed` is its copy with the probe."""
    theme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    size = f"--window-size={width},900"
    dom = browse(browser, size, *theme, "--dump-dom", f"file://{probed}")
    match = re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S)
    if not match:
        return ["the page's script did not come to its end"]
    found = json.loads(match[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    name = f"page-{width}{'-dark' if dark else ''}.png"
    picture = os.path.join(os.path.dirname(probed), name)
    browse(browser, size, *theme, f"--screenshot={picture}", f"file://{page}")
    print(f"{found['width']} pixels: {', '.join(found['sections'])}")
    wrong = [f"script error: {error}" for error in found["errors"]]
    expected = {"next": 0, "open": True, "closed": True, "themes": True, "overflow": False,
                "small": 0, "lit": found["instructions"]}
    wrong += [f"{name} is {found[name]}, not {value}" for name, value in expected.items()
              if found[name] != value]
    if colors(picture) < 20:
        wrong.append(f"{picture} is blank")
    return [f"at {width} pixels{', dark' if dark else ''}: {text}" for text in wrong]


def main() -> int:
    browser, page, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    copy = os.path.join(os.path.abspath(folder), "probed.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text.replace("<head>", "<head>" + FIRST).replace("</body>", LAST + "</body>"))
    page = os.path.abspath(page)
    wrong = (check(browser, page, copy, 1280, dark=False)
             or check(browser, page, copy, 500, dark=True))
    for text in wrong:
        print(f"wrong: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
