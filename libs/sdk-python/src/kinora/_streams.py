"""Reads server-sent events, one stream after the other."""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Callable, Deque, Dict, FrozenSet, NamedTuple, Optional

from ._calls import Operation, Options, outgoing
from ._errors import ConnectionError, KinoraError, error_of
from ._events import EventDecoder, ServerSentEvent
from ._flow import BrokenOff, Close, Emit, Flow, Open, Opened, Read, Sleep
from ._options import Settings
from ._retries import Answered, retry_delay
from .types import WebhookEvent

# The service sends a comment every 15 seconds.
IDLE_SECONDS = 45.0
RETRY_SECONDS = 2.0
MAX_REFUSAL_BYTES = 65_536
MAX_EMPTY_STREAMS = 3


class Refused(Exception):
    """The answer to the opening of a stream is no stream. `error` is None where it is no error either."""

    def __init__(self, status: int, headers: Any, error: Optional[KinoraError]) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers
        self.error = error


class StreamedEvent(NamedTuple):
    id: Optional[str]
    type: str
    data: Any


class FeedEvent(NamedTuple):
    """An event of the account. `cursor` is what `after` takes to continue behind it."""

    cursor: Optional[str]
    event: WebhookEvent


class EventStream:
    """The events of one address. After the end of a stream, the next read opens it again behind the last event."""

    def __init__(
        self,
        settings: Settings,
        operation: Operation,
        options: Options,
        deadline: Optional[float] = None,
        last_id: Optional[str] = None,
    ) -> None:
        self._settings = settings
        self._operation = operation
        self._options = options
        self._deadline = deadline
        self._opened: Optional[Opened] = None
        self._decoder = EventDecoder()
        self._ready: Deque[ServerSentEvent] = deque()
        self.last_id = last_id
        self.retry_seconds = RETRY_SECONDS
        self.is_broken = False

    def next(self) -> Flow[Optional[StreamedEvent]]:
        """The next event; None at the end of a stream, whole or broken, and after what is no JSON. @raises Refused"""
        self.is_broken = False
        try:
            if self._opened is None:
                yield from self._open()
            while not self._ready:
                chunk: Optional[bytes] = yield Read(self._open_one)
                if chunk is None:
                    yield from self.close()
                    return None
                self._ready.extend(self._decoder.feed(chunk))
        except BrokenOff:
            self.is_broken = True
            yield from self.close()
            return None
        finally:
            if self._decoder.retry_seconds is not None:
                self.retry_seconds = self._decoder.retry_seconds
        event = self._ready.popleft()
        parsed = _parsed(event)
        if parsed is None:
            yield from self.close()
        elif event.id is not None:
            self.last_id = event.id
        return parsed

    @property
    def _open_one(self) -> Opened:
        assert self._opened is not None
        return self._opened

    def close(self) -> Flow[None]:
        opened, self._opened = self._opened, None
        if opened is not None:
            yield Close(opened)

    def follow(self, ends: FrozenSet[str], item_of: Callable[[StreamedEvent], Any]) -> Flow[None]:
        """Emits the items of the events, up to one that ends them, and opens the stream again whenever it breaks.

        An event without an item is passed over. Where no event ends it, a stream that closes without one has not failed.
        """
        max_retries = self._options.get("max_retries", self._settings.max_retries)
        refusals, empty = 0, 0
        while True:
            try:
                event = yield from self.next()
            except Refused as refused:
                if refused.status == 204:
                    return
                delay = retry_delay(Answered(refused.status, refused.headers), refusals)
                if delay is None or refusals >= max_retries:
                    raise refused.error or _no_stream(self._operation) from None
                refusals += 1
                yield Sleep(delay)
                continue
            if event is None:
                empty += 1 if ends or self.is_broken else 0
                if empty >= MAX_EMPTY_STREAMS:
                    raise _no_stream(self._operation)
                yield Sleep(self.retry_seconds)
                continue
            refusals, empty = 0, 0
            item = item_of(event)
            if item is not None:
                yield Emit(item)
            if event.type in ends:
                yield from self.close()
                return

    def _open(self) -> Flow[None]:
        headers: Dict[str, str] = {"accept": "text/event-stream", "accept-encoding": "identity", **self._operation.headers}
        if self.last_id is not None:
            headers["last-event-id"] = self.last_id
        request = outgoing(self._settings, self._operation._replace(headers=headers), self._options, None)
        self._decoder, self._ready = EventDecoder(), deque()
        opened: Opened = yield Open(request, IDLE_SECONDS, self._deadline)
        response = opened.response
        self._settings.logger.debug("%s %s %d stream", request.method, self._operation.path, response.status_code)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code == 200 and kind == "text/event-stream":
            self._opened = opened
            return
        content = yield from beginning_of(opened)
        status, received = response.status_code, dict(response.headers)
        error = None if status < 300 else error_of(status, received, content)
        raise Refused(status, received, error)


def beginning_of(opened: Opened) -> Flow[bytes]:
    """Enough of a refusal to know its error; closes it."""
    content = b""
    try:
        while len(content) < MAX_REFUSAL_BYTES:
            chunk: Optional[bytes] = yield Read(opened)
            if chunk is None:
                break
            content += chunk
    except BrokenOff:
        pass
    yield Close(opened)
    return content


def _parsed(event: ServerSentEvent) -> Optional[StreamedEvent]:
    try:
        return StreamedEvent(event.id, event.type, json.loads(event.data))
    except ValueError:
        return None


def _no_stream(operation: Operation) -> ConnectionError:
    return ConnectionError(f"{operation.method} {operation.path} gave no stream of events.", code="no_stream")
