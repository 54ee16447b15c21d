"""A server that plays answers in their order, also broken ones."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any, Dict, List, NamedTuple, Optional

REASON = "Scripted"


class Request(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


class ScriptedServer:
    """Each request gets the next answer. Beyond the last one, the connection is closed and `surplus` counts."""

    def __init__(self, answers: List[Dict[str, Any]]) -> None:
        self.requests: List[Request] = []
        self.surplus = 0
        self._answers = list(answers)
        self._lock = threading.Lock()
        self._held: List[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for connection in self._held:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        request = read_request(connection)
        if request is None:
            connection.close()
            return
        with self._lock:
            self.requests.append(request)
            answer = self._answers.pop(0) if self._answers else None
            self.surplus += answer is None
        self._answer(connection, answer or {"failure": "connection"})

    def _answer(self, connection: socket.socket, answer: Dict[str, Any]) -> None:
        end = answer.get("end", "close")
        if answer.get("failure") == "connection":
            connection.close()
            return
        content = bytes_of(answer)
        headers = {**answer.get("headers", {}), "connection": "close"}
        is_stream = "event-stream" in headers.get("content-type", "")
        if answer.get("failure") == "truncated":
            headers["content-length"] = str(len(content) + 10)
        elif end == "cut":
            headers["transfer-encoding"] = "chunked"
            content = f"{len(content):x}\r\n".encode() + content + b"\r\n"
        elif not is_stream:
            headers["content-length"] = str(len(content))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        connection.sendall(f"HTTP/1.1 {answer['status']} {REASON}\r\n{head}\r\n".encode() + content)
        if end == "hold":
            self._held.append(connection)
        else:
            connection.close()


def bytes_of(answer: Dict[str, Any]) -> bytes:
    if "text" in answer:
        return answer["text"].encode()
    return json.dumps(answer["body"]).encode() if "body" in answer else b""


def read_request(connection: socket.socket) -> Optional[Request]:
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(65536)
        if not chunk:
            return None
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", "0"))
    while len(body) < length:
        body += connection.recv(65536)
    return Request(method, path, headers, body)
