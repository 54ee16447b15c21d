"""Does what flows yield, blocking."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any, Generator, Iterator, List, Optional, TypeVar, cast

import httpx

from ._flow import Answer, BrokenOff, Close, Drain, Effect, Emit, Flow, Notify, Open, Outgoing, Read, Run, Send, Sleep
from ._flow import failure_of
from ._private_links import private_links

T = TypeVar("T")


class Stream:
    """A response that is being read. A timer breaks its connection at the deadline, since httpx only limits single reads."""

    def __init__(self, response: httpx.Response, deadline: Optional[float]) -> None:
        self.response = response
        self.deadline = deadline
        self._chunks = response.iter_raw()
        self._timer: Optional[threading.Timer] = None
        if deadline is not None:
            self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), self._break)
            self._timer.daemon = True
            self._timer.start()

    def read(self) -> Optional[bytes]:
        try:
            chunk = next(self._chunks, None)
        except httpx.HTTPError as error:
            raise BrokenOff("timeout") if self._is_over else failure_of(error, has_status=True) from error
        if chunk is None and self._is_over:
            raise BrokenOff("timeout")
        return chunk

    @property
    def _is_over(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.response.close()

    def _break(self) -> None:
        network = self.response.extensions.get("network_stream")
        connection: Any = network.get_extra_info("socket") if network is not None else None
        if connection is not None:
            # The method of a TLS socket would change its state while another thread reads from it.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class Driver:
    """Runs flows on one connection pool."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def run(self, flow: Flow[T]) -> T:
        steps = self.iterate(flow)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return cast(T, end.value)

    def iterate(self, flow: Flow[T]) -> Generator[Any, None, T]:
        """Yields what the flow emits. Whatever ends it, no stream stays open."""
        opened: List[Stream] = []
        try:
            effect = next(flow)
            while True:
                try:
                    result: Any = None
                    if isinstance(effect, Emit):
                        yield effect.value
                    else:
                        result = self._do(effect)
                except BaseException as error:
                    effect = flow.throw(error)
                    continue
                if isinstance(result, Stream):
                    opened.append(result)
                effect = flow.send(result)
        except StopIteration as end:
            return cast(T, end.value)
        finally:
            flow.close()
            for stream in opened:
                stream.close()

    def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            return self._send(effect.request, effect.timeout)
        if isinstance(effect, Open):
            return self._open(effect.request, effect.idle, effect.deadline)
        if isinstance(effect, Read):
            return cast(Stream, effect.source).read()
        if isinstance(effect, Close):
            return cast(Stream, effect.source).close()
        if isinstance(effect, Sleep):
            return time.sleep(effect.seconds)
        if isinstance(effect, Run):
            return effect.function()
        if isinstance(effect, Drain):
            return drain(effect.stream, effect.limit)
        if isinstance(effect, Notify):
            return effect.callback(effect.value)
        raise TypeError(f"Unexpected {effect}")

    def _send(self, request: Outgoing, timeout: float) -> Answer:
        deadline = time.monotonic() + timeout
        response = self._respond(request, timeout)
        try:
            chunks: List[bytes] = []
            for chunk in _reads(response):
                chunks.append(chunk)
                if time.monotonic() > deadline:
                    raise BrokenOff("timeout")
            return Answer(response.status_code, response.headers, b"".join(chunks))
        finally:
            response.close()

    def _open(self, request: Outgoing, idle: float, deadline: Optional[float]) -> Stream:
        limit = idle if deadline is None else max(0.001, min(idle, deadline - time.monotonic()))
        return Stream(self._respond(request, limit), deadline)

    def _respond(self, request: Outgoing, timeout: float) -> httpx.Response:
        try:
            built = self._http.build_request(
                request.method, request.url, headers=request.headers, content=request.content, timeout=timeout
            )
            with private_links():
                response = self._http.send(built, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            raise failure_of(error, has_status=False) from error
        if request.on_response is not None:
            request.on_response(response)
        return response


def _reads(response: httpx.Response) -> Iterator[bytes]:
    try:
        yield from response.iter_bytes()
    except httpx.HTTPError as error:
        raise failure_of(error, has_status=True) from error


def drain(stream: Any, limit: int) -> bytes:
    """The bytes of a file object or of an iterable."""
    if hasattr(stream, "read"):
        return bytes(stream.read(limit))
    if not hasattr(stream, "__iter__"):
        raise TypeError("The blocking client reads no asynchronous streams.")
    content = b""
    for chunk in stream:
        content += chunk
        if len(content) >= limit:
            break
    return content
