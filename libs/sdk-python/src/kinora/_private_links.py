"""Keeps signed links out of the log of httpx, which writes the address of every request."""

from __future__ import annotations

import contextlib
import contextvars
import logging
from typing import Generator

import httpx

_IS_OURS: "contextvars.ContextVar[bool]" = contextvars.ContextVar("kinora_request", default=False)


class _WithoutQuery(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if _IS_OURS.get() and isinstance(record.args, tuple):
            record.args = tuple(
                f"{one.scheme}://{one.host}/…" if isinstance(one, httpx.URL) and one.query else one for one in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_WithoutQuery())


@contextlib.contextmanager
def private_links() -> Generator[None, None, None]:
    """Requests sent within are logged without the path and query of addresses that have a query."""
    token = _IS_OURS.set(True)
    try:
        yield
    finally:
        _IS_OURS.reset(token)
