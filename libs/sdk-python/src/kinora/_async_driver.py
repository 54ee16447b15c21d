"""Does what flows yield, on the event loop."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import Any, AsyncGenerator, AsyncIterator, Awaitable, List, Optional, TypeVar, cast

import httpx

from ._driver import drain
from ._flow import Answer, BrokenOff, Close, Drain, Effect, Emit, Flow, Notify, Open, Outgoing, Read, Run, Send, Sleep
from ._flow import failure_of
from ._private_links import private_links

T = TypeVar("T")


class AsyncStream:
    """A response that is being read, until its deadline at the latest."""

    def __init__(self, response: httpx.Response, deadline: Optional[float]) -> None:
        self.response = response
        self.deadline = deadline
        self._chunks = response.aiter_raw()

    async def read(self) -> Optional[bytes]:
        left = None if self.deadline is None else self.deadline - time.monotonic()
        return await _within(left, self._next())

    async def _next(self) -> Optional[bytes]:
        try:
            return await self._chunks.__anext__()
        except StopAsyncIteration:
            return None
        except httpx.HTTPError as error:
            raise failure_of(error, has_status=True) from error

    async def close(self) -> None:
        await self.response.aclose()


class AsyncDriver:
    """Runs flows on one connection pool."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def run(self, flow: Flow[T]) -> T:
        results: List[T] = []

        def kept() -> Flow[None]:
            results.append((yield from flow))

        async for _ in self.iterate(kept()):
            pass
        return results[0]

    async def iterate(self, flow: Flow[None]) -> AsyncGenerator[Any, None]:
        """Yields what the flow emits. Whatever ends it, no stream stays open."""
        opened: List[AsyncStream] = []
        try:
            effect = next(flow)
            while True:
                try:
                    result: Any = None
                    if isinstance(effect, Emit):
                        yield effect.value
                    else:
                        result = await self._do(effect)
                except BaseException as error:
                    effect = flow.throw(error)
                    continue
                if isinstance(result, AsyncStream):
                    opened.append(result)
                effect = flow.send(result)
        except StopIteration:
            return
        finally:
            flow.close()
            await _close_all(opened)

    async def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            return await _within(effect.timeout, self._send(effect.request, effect.timeout))
        if isinstance(effect, Open):
            return await self._open(effect.request, effect.idle, effect.deadline)
        if isinstance(effect, Read):
            return await cast(AsyncStream, effect.source).read()
        if isinstance(effect, Close):
            return await cast(AsyncStream, effect.source).close()
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, Run):
            return await asyncio.to_thread(effect.function)
        if isinstance(effect, Drain):
            return await _drain(effect.stream, effect.limit)
        if isinstance(effect, Notify):
            told = effect.callback(effect.value)
            return await told if inspect.isawaitable(told) else told
        raise TypeError(f"Unexpected {effect}")

    async def _send(self, request: Outgoing, timeout: float) -> Answer:
        response = await self._respond(request, timeout)
        try:
            content = b"".join([chunk async for chunk in _reads(response)])
            return Answer(response.status_code, response.headers, content)
        finally:
            await response.aclose()

    async def _open(self, request: Outgoing, idle: float, deadline: Optional[float]) -> AsyncStream:
        limit = idle if deadline is None else max(0.001, min(idle, deadline - time.monotonic()))
        return AsyncStream(await self._respond(request, limit), deadline)

    async def _respond(self, request: Outgoing, timeout: float) -> httpx.Response:
        try:
            built = self._http.build_request(
                request.method, request.url, headers=request.headers, content=request.content, timeout=timeout
            )
            with private_links():
                response = await self._http.send(built, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            raise failure_of(error, has_status=False) from error
        if request.on_response is not None:
            request.on_response(response)
        return response


async def _within(seconds: Optional[float], work: Awaitable[T]) -> T:
    try:
        return await asyncio.wait_for(work, None if seconds is None else max(0.001, seconds))
    except asyncio.TimeoutError:
        raise BrokenOff("timeout") from None


async def _reads(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.HTTPError as error:
        raise failure_of(error, has_status=True) from error


async def _drain(stream: Any, limit: int) -> bytes:
    """The bytes of a file object or of an iterable, blocking or asynchronous."""
    if hasattr(stream, "__aiter__") and not hasattr(stream, "read"):
        content = b""
        async for chunk in stream:
            content += chunk
            if len(content) >= limit:
                break
        return content
    if inspect.iscoroutinefunction(getattr(stream, "read", None)):
        return bytes(await stream.read(limit))
    return await asyncio.to_thread(drain, stream, limit)


async def _close_all(opened: List[AsyncStream]) -> None:
    for stream in opened:
        await stream.close()
