"""One request: its address, its headers, its repeats, its answer."""

from __future__ import annotations

import json
import re
import time
import uuid
from typing import Any, Dict, Mapping, NamedTuple, NoReturn, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from ._errors import ConnectionError, InvalidRequestError, KinoraError, error_of
from ._flow import Answer, BrokenOff, Flow, Outgoing, Send, Sleep
from ._options import Settings, refuse_unknown
from ._retries import Answered, retry_delay

Options = Mapping[str, Any]


class Operation(NamedTuple):
    """An operation of the API. `repeatable` is false where a repeat would take effect twice."""

    method: str
    path: str
    query: Mapping[str, Any] = {}
    body: Optional[Mapping[str, Any]] = None
    creates_job: bool = False
    repeatable: bool = True
    headers: Mapping[str, str] = {}


class Attempts(NamedTuple):
    """How long an attempt may take, how many may follow, and when the last one must have ended."""

    timeout: float
    max_retries: int
    deadline: Optional[float] = None


def segment(value: str) -> str:
    """An id as a part of a path. Without an id, the path is that of another operation."""
    if not isinstance(value, str) or value == "":  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidRequestError("The id is missing.", type="invalid_request_error", code="invalid_id", param="id")
    return quote(value, safe="")


def key_of(operation: Operation, options: Options) -> Optional[str]:
    """The idempotency key of a creation, one for all repeats of the call."""
    if not operation.creates_job:
        return None
    key: Any = options.get("idempotency_key")
    if key is None:
        key = str(uuid.uuid4())
    # An empty key is refused and not replaced: a program that lost its key must not pay twice.
    if not isinstance(key, str) or not re.fullmatch(r"[!-~]{1,255}", key):
        raise InvalidRequestError(
            "An idempotency key has 1 to 255 visible ASCII characters.",
            type="invalid_request_error",
            code="invalid_idempotency_key",
            param="Idempotency-Key",
        )
    return key


def outgoing(settings: Settings, operation: Operation, options: Options, key: Optional[str]) -> Outgoing:
    """The request that an operation sends."""
    refuse_unknown(options)
    headers: Dict[str, str] = {**settings.headers, **operation.headers}
    content = None if operation.body is None else json.dumps(operation.body).encode()
    if content is not None:
        headers["content-type"] = "application/json"
    if key is not None:
        headers["idempotency-key"] = key
    if "quote" in options:
        headers["x-service-quote"] = options["quote"]
    own: Mapping[str, str] = options.get("headers") or {}
    headers.update({name.lower(): value for name, value in own.items()})
    query = urlencode({name: value for name, value in operation.query.items() if value is not None})
    url = f"{settings.base_url}{operation.path}" + (f"?{query}" if query else "")
    return Outgoing(operation.method, url, headers, content, options.get("on_response"))


def call(settings: Settings, operation: Operation, options: Options) -> Flow[Any]:
    """The JSON of a successful answer."""
    attempts = Attempts(
        options.get("timeout", settings.timeout), options.get("max_retries", settings.max_retries)
    )
    body, _ = yield from exchange(settings, operation, options, attempts, key_of(operation, options))
    return body


def exchange(
    settings: Settings, operation: Operation, options: Options, attempts: Attempts, key: Optional[str]
) -> Flow[Tuple[Any, Mapping[str, str]]]:
    """Body and headers of a successful answer, after as many attempts as it needs."""
    try:
        return (yield from _exchange(settings, operation, options, attempts, key))
    except (Exception, GeneratorExit):
        raise
    except BaseException as interruption:
        # KeyboardInterrupt or a cancelled task. The job may exist, and the key continues it.
        if key is not None:
            interruption.__cause__ = broken_off(BrokenOff("aborted"), f"{operation.method} {operation.path}", key)
        raise


def _exchange(
    settings: Settings, operation: Operation, options: Options, attempts: Attempts, key: Optional[str]
) -> Flow[Tuple[Any, Mapping[str, str]]]:
    request = outgoing(settings, operation, options, key)
    attempt = 0
    while True:
        started = time.monotonic()
        outcome: Union[Answer, BrokenOff] = yield from _attempt(request, remaining(attempts))
        if isinstance(outcome, Answer) and 200 <= outcome.status < 300:
            try:
                body = _parsed(outcome)
                _log(settings, operation, attempt, outcome, started)
                return body, outcome.headers
            except BrokenOff as broken:
                outcome = broken
        _log(settings, operation, attempt, outcome, started)
        decided = Answered(outcome.status, outcome.headers) if isinstance(outcome, Answer) else outcome.code
        delay = retry_delay(decided, attempt, operation.repeatable)
        if delay is None or attempt >= attempts.max_retries or _is_too_late(attempts, delay):
            _raise(outcome, operation, key)
        attempt += 1
        yield Sleep(delay)


def _attempt(request: Outgoing, timeout: float) -> Flow[Union[Answer, BrokenOff]]:
    try:
        return (yield Send(request, timeout))
    except BrokenOff as broken:
        return broken


def _parsed(answer: Answer) -> Any:
    """The JSON of an answer. @raises BrokenOff for what was cut short, or was not written by the service"""
    if answer.status == 204:
        return None
    kind = answer.headers.get("content-type")
    if kind is not None and "json" not in kind.lower():
        raise BrokenOff("truncated", f"the answer is {kind} and no JSON. base_url ends in /v1")
    try:
        return json.loads(answer.content)
    except ValueError as error:
        raise BrokenOff("truncated", str(error)) from error


def remaining(attempts: Attempts) -> float:
    """Seconds that the next attempt may take."""
    if attempts.deadline is None:
        return attempts.timeout
    return max(0.001, min(attempts.timeout, attempts.deadline - time.monotonic()))


def _is_too_late(attempts: Attempts, delay: float) -> bool:
    return attempts.deadline is not None and time.monotonic() + delay >= attempts.deadline


def _raise(outcome: Union[Answer, BrokenOff], operation: Operation, key: Optional[str]) -> NoReturn:
    if isinstance(outcome, Answer):
        hint = ": base_url ends in /v1" if outcome.status == 404 else ""
        raise error_of(outcome.status, outcome.headers, outcome.content, key, hint)
    raise broken_off(outcome, f"{operation.method} {operation.path}", key) from outcome.__cause__


def broken_off(broken: BrokenOff, what: str, key: Optional[str] = None) -> ConnectionError:
    """The error of a request without a complete answer."""
    return ConnectionError(f"{what} got no complete answer: {broken.reason}.", code=broken.code, idempotency_key=key)


def is_retriable(error: KinoraError) -> bool:
    """Whether a later repeat of a GET may succeed."""
    if isinstance(error, ConnectionError):
        return True
    return error.status is not None and (error.status in (408, 429) or error.status >= 500)


def _log(
    settings: Settings, operation: Operation, attempt: int, outcome: Union[Answer, BrokenOff], started: float
) -> None:
    """Neither headers nor bodies nor queries: they hold keys, prompts and signed links."""
    is_answer = isinstance(outcome, Answer)
    status = outcome.status if is_answer else outcome.code
    request_id = outcome.headers.get("x-request-id", "-") if is_answer else "-"
    took = round((time.monotonic() - started) * 1000)
    settings.logger.debug(
        "%s %s %s attempt=%d ms=%d request_id=%s", operation.method, operation.path, status, attempt + 1, took, request_id
    )
