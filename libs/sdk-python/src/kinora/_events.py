"""Server-sent events, from bytes that arrive in any portions."""

from __future__ import annotations

import codecs
import re
from typing import Iterator, List, NamedTuple, Optional

from ._flow import BrokenOff


# A server that never ends a line must not fill the memory.
MAX_LINE_CHARACTERS = 16 * 1024 * 1024


class ServerSentEvent(NamedTuple):
    id: Optional[str]
    type: str
    data: str


class EventDecoder:
    """Decodes the events of one stream; an event that the stream does not finish is dropped."""

    def __init__(self) -> None:
        self.retry_seconds: Optional[float] = None
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._id: Optional[str] = None
        self._type = ""
        self._data: List[str] = []

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """The events that end in this chunk."""
        for line in self._lines(self._decode(chunk)):
            event = self._take(line)
            if event is not None:
                yield event

    def _lines(self, text: str) -> Iterator[str]:
        *lines, rest = re.split("\r\n|\n|\r(?!$)", self._rest + text)
        # A return at the end may be the first half of a line end.
        self._rest = rest
        if len(rest) > MAX_LINE_CHARACTERS:
            raise BrokenOff("truncated")
        yield from lines

    def _take(self, line: str) -> Optional[ServerSentEvent]:
        if line == "":
            event = ServerSentEvent(self._id, self._type or "message", "\n".join(self._data)) if self._data else None
            self._type, self._data = "", []
            return event
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None
