"""A proxy before the service that breaks exchanges as networks and other proxies do."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from typing import Callable, Dict, List, Optional
from urllib.parse import urlsplit

from scripted_server import Request, read_request

FAULTS = ["dropped", "refused", "truncated", "slow", "429", "503", "502 before", "502 after"]
HTML = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


class FaultyProxy:
    """Links in answers lead through the proxy as well. `hold` stops a request at a stage: `sent` or `answered`."""

    def __init__(self, base_url: str, share: float = 0.0, seed: int = 1) -> None:
        self.counts: Dict[str, int] = {}
        self.hold: Optional[Callable[[Request], Optional[str]]] = None
        self.held = threading.Event()
        self._upstream = urlsplit(base_url)
        self._share = share
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._kept: List[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.base_url = self.origin + self._upstream.path
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> FaultyProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for connection in self._kept:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            request = read_request(connection)
            if request is not None and not self._is_held(connection, request):
                self._exchange(connection, request, self._next_fault())
        except OSError:
            pass
        if connection not in self._kept:
            connection.close()

    def _next_fault(self) -> str:
        with self._lock:
            fault = self._random.choice(FAULTS) if self._random.random() < self._share else "none"
            self.counts[fault] = self.counts.get(fault, 0) + 1
            return fault

    def _is_held(self, connection: socket.socket, request: Request) -> bool:
        stage = self.hold(request) if self.hold is not None else None
        if stage is None:
            return False
        if stage == "answered":
            self._forward(request).read()
        elif stage == "half":
            response = self._forward(request)
            content = response.read()
            connection.sendall(_head(response.status, {"content-length": str(len(content))}) + content[: len(content) // 2])
        self._kept.append(connection)
        self.held.set()
        return True

    def _exchange(self, connection: socket.socket, request: Request, fault: str) -> None:
        if fault == "refused":
            return
        if fault in ("429", "503", "502 before"):
            status = int(fault[:3])
            kind = "text/html" if status == 502 else "application/json"
            content = HTML if status == 502 else b"{}"
            connection.sendall(_head(status, {"content-type": kind, "retry-after": "1"}, content) + content)
            return
        response = self._forward(request)
        if "event-stream" in (response.getheader("content-type") or ""):
            self._stream(connection, response, fault)
            return
        content = self._through_here(response.read())
        if fault == "dropped":
            return
        if fault == "502 after":
            connection.sendall(_head(502, {"content-type": "text/html"}, HTML) + HTML)
            return
        kept = ("content-type", "x-request-id", "retry-after", "preference-applied", "idempotency-replayed")
        headers = {name: value for name, value in response.getheaders() if name.lower() in kept}
        head = _head(response.status, headers, content)
        if fault == "truncated":
            connection.sendall(head + content[: len(content) // 2])
        elif fault == "slow":
            connection.sendall(head)
            portion = max(1, len(content) // 50)
            for start in range(0, len(content), portion):
                connection.sendall(content[start : start + portion])
                time.sleep(0.005)
        else:
            connection.sendall(head + content)

    def _stream(self, connection: socket.socket, response: http.client.HTTPResponse, fault: str) -> None:
        connection.sendall(_head(response.status, {"content-type": "text/event-stream"}))
        lines = 0
        for line in response:
            connection.sendall(self._through_here(line))
            lines += 1
            if fault != "none" and lines == 4:
                return

    def _forward(self, request: Request) -> http.client.HTTPResponse:
        upstream = http.client.HTTPConnection(self._upstream.hostname or "", self._upstream.port or 80, timeout=120)
        headers = {name: value for name, value in request.headers.items() if name not in ("host", "connection")}
        headers["accept-encoding"] = "identity"
        upstream.request(request.method, request.path, body=request.body or None, headers=headers)
        return upstream.getresponse()

    def _through_here(self, content: bytes) -> bytes:
        return content.replace(f"{self._upstream.scheme}://{self._upstream.netloc}".encode(), self.origin.encode())


def _head(status: int, headers: Dict[str, str], content: Optional[bytes] = None) -> bytes:
    lines = [*headers.items(), ("connection", "close")]
    if content is not None:
        lines.append(("content-length", str(len(content))))
    return f"HTTP/1.1 {status} Proxied\r\n{''.join(f'{name}: {value}' + chr(13) + chr(10) for name, value in lines)}\r\n".encode()
