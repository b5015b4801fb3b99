"""Sessions of an editor with the language server: each prints what the editor would show.

  session.py NAME SERVER PROGRAM.mlir [ARGUMENTS of the server]
"""

import os
import signal
import sys
import time

from client import PATIENCE_SECONDS, Client, Json

# Statements that need more shared memory than there is.
LARGE = """\
    %large = tile.alloc : memref<512x256xf16, #shared>
    tile.copy %A to %large : memref<512x256xf16> to memref<512x256xf16, #shared>
    %l = tile.load %large : memref<512x256xf16, #shared> -> tensor<512x256xf16>
    tile.store %l, %A : tensor<512x256xf16>, memref<512x256xf16>
"""
A, B = "file:///programs/a.mlir", "file:///programs/b.mlir"


def show(title: str, diagnostics: list[Json]) -> None:
    """Places count from 1, as editors show them."""
    print(f"{title}: {len(diagnostics)}")
    for diagnostic in diagnostics:
        start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
        print(f"  {start['line'] + 1}:{start['character'] + 1}-{end['character'] + 1} "
              f"{['error', 'warning', 'information', 'hint'][diagnostic['severity'] - 1]} "
              f"[{diagnostic['source']}] {diagnostic['message']}")
        for note in diagnostic.get("relatedInformation", []):
            place = note["location"]["range"]["start"]
            first = note["message"].splitlines()[0]
            print(f"    {place['line'] + 1}:{place['character'] + 1} {first}")


def has_error(diagnostics: list[Json]) -> bool:
    return any(d["severity"] == 1 for d in diagnostics)


def has_hints(diagnostics: list[Json]) -> bool:
    """Whether the text was compiled."""
    return any(d["severity"] == 4 for d in diagnostics)


def is_alive(process: int) -> bool:
    """Whether there is such a process, other than one that nobody has waited for."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children(client: Client, word: str) -> list[int]:
    """The server's child processes that were started with this word."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except (OSError, ValueError, IndexError):
            continue
        if parent == client.process.pid and word.encode() in words:
            found.append(int(entry))
    return found


def wait_for_child(client: Client, word: str) -> int:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if found := children(client, word):
            return found[0]
        time.sleep(0.005)
    raise SystemExit(f"no child {word}")


def wait_until_it_works(process: int) -> None:
    """Until the process has computed longer than a program takes to load and start."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            user_ticks = int(file.read().rsplit(")", 1)[1].split()[11])
        if user_ticks / os.sysconf("SC_CLK_TCK") > 0.5:
            return
        time.sleep(0.01)
    raise SystemExit("a child that does not compute")


def many_loops(program: str, count: int) -> str:
    """A program whose compilation takes long: its loop so many times."""
    begin = program.index("    %zero =")
    end = program.index("    tile.store")
    loop = program[begin:end]
    copies = "".join(loop.replace("%acc", f"%acc{i}").replace("%zero", f"%zero{i}")
                     for i in range(count))
    return program[:begin] + copies + program[end:].replace("%acc", f"%acc{count - 1}", 1)


def reading(client: Client, program: str) -> None:
    """Hovers, definitions and references of a program that is fine."""
    client.open(A, program)
    show("compiled", client.diagnostics(A, has_hints))
    for title, word, occurrence in (("launch", "tile.launch", 0), ("product", "tile.gemm", 0),
                                    ("buffer", "%As, %Bs", 0), ("argument", "%c : memref", 0)):
        print(f"hover of {title}:\n{client.hover(A, word, occurrence)}")
    for where in client.request("textDocument/definition", client.place(A, "%Bs, %c")):
        print("definition at line", where["range"]["start"]["line"] + 1)
    references = client.request("textDocument/references", {
        **client.place(A, "%Bs, %c"), "context": {"includeDeclaration": True}})
    print("references at lines", sorted(r["range"]["start"]["line"] + 1 for r in references))
    print("nothing at a type:", repr(client.hover(A, "(tensor<64x64xf32>) {")))


def wrong(client: Client, program: str) -> None:
    """Errors of the parser, the verifier and the compiler, at their places."""
    client.open(A, program.replace("tile.gemm %As", "tile.gem %As"))
    show("parser", client.diagnostics(A))
    client.change(A, program.replace("%Bs, %c : memref<64x64xf16", "%Bs, %c : memref<64x32xf16"))
    show("types", client.diagnostics(A))
    client.change(A, program.replace("threads(128)", "threads(100)"))
    show("verifier", client.diagnostics(A))
    client.change(A, program.replace("    %As =", LARGE + "    %As ="))
    show("compiler", client.diagnostics(A, has_error))
    client.change(A, program.replace("sm_90a", "sm_12"))
    show("chip", client.diagnostics(A))
    client.change(A, 'func.func @f() attributes {a = "\u00e9\U0001d4b3"} { %x = no.op }\n')
    show("units", client.diagnostics(A))
    client.change(A, "func.func private @a()\n// -----\nfunc.func @b() { return %x }\n")
    show("parts", client.diagnostics(A))
    client.change(A, "")
    show("empty", client.diagnostics(A, lambda d: True))
    client.change(A, program)
    show("mended", [d for d in client.diagnostics(A, has_hints) if d["severity"] < 4])


def typing(client: Client, program: str) -> None:
    """Every beginning of a text, faster than it is analysed, and the whole at last."""
    client.open(A, "")
    for end in range(0, len(program), 41):
        client.change(A, program[:end])
    client.change(A, program)
    print("whole:", has_hints(client.diagnostics(A, has_hints)))
    for end in range(100, len(program), 400):
        client.change(A, program[:end])
        print("half-written:", has_error(client.diagnostics(A)))


def several(client: Client, program: str) -> None:
    """Two documents; a compile that takes long keeps neither of them waiting."""
    client.open(A, program)
    client.diagnostics(A, has_hints)
    client.open(B, many_loops(program, 300))  # a quarter of a minute
    first = wait_for_child(client, B)
    print("hover meanwhile:", "wgmma" in client.hover(A, "tile.gemm"))
    print("still compiling:", first in children(client, B))
    client.change(B, program.replace("tile.gemm", "tile.gem"))
    begin = time.monotonic()
    show("B", client.diagnostics(B))
    print("without waiting for the older text:", time.monotonic() - begin < 8)
    client.close(B)
    print("closed:", client.diagnostics(B, lambda d: not d))
    client.open(B, program)
    print("open again:", has_hints(client.diagnostics(B, has_hints)))


def crashes(client: Client, program: str) -> None:
    """Children that crash, and one that takes too long."""
    client.open(A, many_loops(program, 120))
    os.kill(wait_for_child(client, A), signal.SIGSEGV)
    show("analysis", client.diagnostics(A))
    # One that hangs is ended by the next text.
    client.change(A, program)
    os.kill(wait_for_child(client, A), signal.SIGSTOP)
    client.change(A, program)
    print("after it:", has_hints(client.diagnostics(A, has_hints)))
    os.kill(wait_for_child(client, "--as-upstream"), signal.SIGSEGV)
    time.sleep(0.2)
    print("without upstream:", "wgmma" in client.hover(A, "tile.gemm"),
          client.request("textDocument/definition", client.place(A, "%Bs, %c"))["message"])
    client.change(A, program + "\n")
    client.diagnostics(A, has_hints)
    print("again:", [w["range"]["start"]["line"] + 1 for w in client.request(
        "textDocument/definition", client.place(A, "%Bs, %c"))])
    # One that hangs keeps nobody waiting for diagnostics, however much is sent to it.
    hanging = wait_for_child(client, "--as-upstream")
    os.kill(hanging, signal.SIGSTOP)
    for _ in range(100):
        client.change(A, program)
    print("hangs:", has_hints(client.diagnostics(A, has_hints)))
    os.kill(hanging, signal.SIGCONT)


def killed(client: Client, program: str) -> None:
    """A server that is killed, whose children hang."""
    client.open(A, many_loops(program, 120))
    hanging = [wait_for_child(client, word) for word in (A, "--as-upstream")]
    # Until a child has asked for its end with the server, nobody ends one that hangs.
    client.request("textDocument/definition", client.place(A, "%Bs, %c"))
    wait_until_it_works(hanging[0])
    for child in hanging:
        os.kill(child, signal.SIGSTOP)
    client.process.kill()
    client.process.wait()
    end = time.monotonic() + PATIENCE_SECONDS
    while any(is_alive(child) for child in hanging) and time.monotonic() < end:
        time.sleep(0.02)
    print("left:", [child for child in hanging if is_alive(child)])


def stage(client: Client, program: str) -> None:
    """A program that some passes have been over."""
    client.open(A, program)
    client.diagnostics(A, has_hints)
    print(client.hover(A, "tile.gemm"))


def late(client: Client, program: str) -> None:
    client.open(A, many_loops(program, 120))
    show("late", client.diagnostics(A))
    # Upstream's server that does not answer is another one after the next change.
    os.kill(wait_for_child(client, "--as-upstream"), signal.SIGSTOP)
    client.send("textDocument/definition", client.place(A, "%Bs, %c"), id="unanswered")
    time.sleep(0.4)
    client.change(A, program)
    print("unanswered:", "error" in client.wait(lambda m: m.get("id") == "unanswered", "answer"))
    print("another:", [w["range"]["start"]["line"] + 1 for w in client.request(
        "textDocument/definition", client.place(A, "%Bs, %c"))])


def rude(client: Client, program: str) -> None:
    """What no editor should send."""
    client.send_bytes(b"{ this is no JSON")
    client.send_bytes(b"[1, 2]")
    client.send_bytes(b"[" * 500_000 + b"]" * 500_000)
    client.send("textDocument/didChange", {
        "textDocument": {"uri": A, "version": 3}, "contentChanges": [{"text": "x"}]})
    client.send("textDocument/didOpen", {"nothing": True})
    client.send("textDocument/didClose", {"textDocument": {"uri": B}})
    print("unknown method:", client.request("tile/unknown", {})["message"])
    client.texts[A] = program
    print("unknown document:", client.hover(A, "tile.gemm") == "")
    client.open("untitled:Untitled-1", program)
    print("no file:", has_hints(client.diagnostics("untitled:Untitled-1", has_hints)))
    long = "file:///" + "a" * 300_000  # more than a process can be given
    client.open(long, program)
    show("long", client.diagnostics(long, bool))


def main() -> int:
    name, server, path, *arguments = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        program = file.read()
    client = Client([server, *arguments])
    capabilities = client.initialize()
    print(capabilities["serverInfo"]["name"], capabilities["capabilities"]["hoverProvider"])
    globals()[name](client, program)
    if client.process.poll() is None:
        print("status:", client.end())
    return 0


if __name__ == "__main__":
    sys.exit(main())
