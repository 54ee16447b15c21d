"""Calls as generators: they yield what is to be done, and a driver does it, blocking or asynchronously.

So each decision (retries, waiting, paging, downloads) exists once for both clients.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Generator, Mapping, NamedTuple, Optional, Protocol, TypeVar, Union

import httpx

T = TypeVar("T")


class Outgoing(NamedTuple):
    """A request, complete but for its connection."""

    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]
    on_response: Optional[Callable[[httpx.Response], object]]


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    content: bytes


class Opened(Protocol):
    """A response whose body has not been read."""

    @property
    def response(self) -> httpx.Response: ...


class BrokenOff(Exception):
    """No complete answer: `code` is for programs, `reason` for people."""

    def __init__(self, code: str, reason: Optional[str] = None) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason or code


class Send(NamedTuple):
    """Gives an Answer. @raises BrokenOff"""

    request: Outgoing
    timeout: float


class Open(NamedTuple):
    """Gives an Opened. No read may take longer than `idle` seconds, and none may end after `deadline`. @raises BrokenOff"""

    request: Outgoing
    idle: float
    deadline: Optional[float]


class Read(NamedTuple):
    """Gives the next bytes, or None at the end. @raises BrokenOff"""

    source: Opened


class Close(NamedTuple):
    source: Opened


class Sleep(NamedTuple):
    seconds: float


class Run(NamedTuple):
    """Gives what a blocking function returns."""

    function: Callable[[], Any]


class Drain(NamedTuple):
    """Gives the bytes of a stream of the caller, and no more than `limit` of them."""

    stream: Any
    limit: int


class Notify(NamedTuple):
    callback: Callable[..., Any]
    value: Any


class Emit(NamedTuple):
    """An item for the caller who iterates."""

    value: Any


Effect = Union[Send, Open, Read, Close, Sleep, Run, Drain, Notify, Emit]
Flow = Generator[Effect, Any, T]


def failure_of(error: httpx.HTTPError, has_status: bool) -> BrokenOff:
    """Why a request has no complete answer."""
    if isinstance(error, httpx.TimeoutException):
        return BrokenOff("timeout")
    return BrokenOff("truncated" if has_status else "connection", str(error))
