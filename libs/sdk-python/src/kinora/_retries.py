"""Which attempts are repeated, and when. Backoff with jitter, as test/sdk-vectors/retries.json says."""

from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping, Optional, Union

MAX_RETRY_AFTER_SECONDS = 60
MAX_BACKOFF_SECONDS = 8.0
FIRST_BACKOFF_SECONDS = 0.5
_NEVER_RETRIED = frozenset({402, 409, 422})


class Answered:
    """What decides about a retry after an answer."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        self.status = status
        self.headers = headers


def retry_delay(
    outcome: Union[Answered, str],
    attempt: int,
    repeatable: bool = True,
    now: Optional[float] = None,
    jitter: Callable[[], float] = random.random,
) -> Optional[float]:
    """Seconds until the next attempt; None if there must not be one. A failure without an answer is its code."""
    backoff = min(MAX_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2.0 ** min(attempt, 30))
    if isinstance(outcome, str):
        return backoff * (0.5 + jitter() / 2) if repeatable and outcome != "aborted" else None
    if not _is_retried(outcome, repeatable):
        return None
    requested = retry_after_seconds(outcome.headers, now)
    if requested is None:
        return backoff * (0.5 + jitter() / 2)
    return None if requested > MAX_RETRY_AFTER_SECONDS else max(requested, backoff) * (1 + jitter() / 4)


def _is_retried(answer: Answered, repeatable: bool) -> bool:
    advice = answer.headers.get("x-should-retry")
    if answer.status < 400 or answer.status in _NEVER_RETRIED or advice == "false":
        return False
    # A rate limit refuses before anything happens; after any other answer the effect may be there already.
    if not repeatable:
        return answer.status == 429
    return advice == "true" or answer.status in (408, 429) or answer.status >= 500


def retry_after_seconds(headers: Mapping[str, str], now: Optional[float] = None) -> Optional[float]:
    """The seconds of `Retry-After`, which are a number or a date; None if it is neither."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, IndexError):
        return None
    return max(0.0, at - (time.time() if now is None else now))
