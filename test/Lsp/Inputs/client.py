"""A client of the language server, for tests: speaks the protocol over pipes and waits for
what it expects. Whatever does not come in time is an error that says what came.
"""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
PATIENCE_SECONDS = 60.0


class Client:
    """A server that was started, and what it has said."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.incoming: queue.Queue[Json] = queue.Queue()
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.ids = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        while header := stream.readline():
            length = 0
            while header.strip():
                name, value = header.split(b":")
                length = int(value) if name == b"Content-Length" else length
                header = stream.readline()
            self.incoming.put(json.loads(stream.read(length)))

    def send_bytes(self, body: bytes) -> None:
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def send(self, method: str, parameters: Any, **more: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": parameters, **more}
        self.send_bytes(json.dumps(message).encode())

    def wait(self, wanted: Callable[[Json], bool], what: str) -> Json:
        """The first message that is wanted; others before it are forgotten."""
        seen: list[str] = []
        end = time.monotonic() + PATIENCE_SECONDS
        while (left := end - time.monotonic()) > 0:
            try:
                message = self.incoming.get(timeout=left)
            except queue.Empty:
                break
            if wanted(message):
                return message
            seen.append(str(message)[:300])
        raise SystemExit(f"no {what} came, but:\n" + "\n".join(seen))

    def request(self, method: str, parameters: Any) -> Any:
        """The result of a request; of one that fails the error."""
        self.ids += 1
        number = self.ids
        self.send(method, parameters, id=number)
        reply = self.wait(lambda m: m.get("id") == number and "method" not in m,
                          f"answer to {method}")
        return reply.get("result", reply.get("error"))

    def initialize(self) -> Json:
        result = self.request("initialize", {"processId": None, "rootUri": None,
                                             "capabilities": {}})
        self.send("initialized", {})
        return result

    def open(self, uri: str, text: str) -> None:
        self.texts[uri], self.versions[uri] = text, 1
        self.send("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "mlir", "version": 1, "text": text}})

    def change(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        self.send("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]},
            "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        self.send("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, wanted: Callable[[list[Json]], bool] = bool) -> list[Json]:
        """The next diagnostics of a document's newest text that are wanted."""
        def is_wanted(message: Json) -> bool:
            parameters = message.get("params", {})
            return (message.get("method") == "textDocument/publishDiagnostics"
                    and parameters["uri"] == uri
                    and parameters.get("version", self.versions[uri]) == self.versions[uri]
                    and wanted(parameters["diagnostics"]))
        return self.wait(is_wanted, f"diagnostics of {uri}")["params"]["diagnostics"]

    def place(self, uri: str, word: str, occurrence: int = 0) -> Json:
        """Where a word stands in a document, as parameters of a request."""
        text, at = self.texts[uri], -1
        for _ in range(occurrence + 1):
            at = text.index(word, at + 1)
        before = text[:at]
        line = before.count("\n")
        column = len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}

    def hover(self, uri: str, word: str, occurrence: int = 0) -> str:
        result = self.request("textDocument/hover", self.place(uri, word, occurrence))
        return result["contents"]["value"] if result else ""

    def end(self) -> int:
        """Ends the server as the protocol has it; its exit status."""
        self.request("shutdown", None)
        self.send("exit", None)
        return self.process.wait(PATIENCE_SECONDS)
