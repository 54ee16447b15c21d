"""The errors of the client, and which of them an answer is."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Type
from urllib.parse import urlsplit

from ._retries import retry_after_seconds
from .types import Job


class KinoraError(Exception):
    """Any failure of the client. Branch on the class, on `type` or on `code`, never on the message."""

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        type: Optional[str] = None,
        code: Optional[str] = None,
        param: Optional[str] = None,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.type = type
        self.code = code
        self.param = param
        self.request_id = request_id
        self.idempotency_key = idempotency_key
        self.retry_after_seconds = retry_after_seconds

    def __reduce__(self) -> Any:
        """For queues and pools of processes, which pickle what a worker raises."""
        kept = {name: value for name, value in self.__dict__.items() if name != "_resume"}
        return _restored, (type(self), self.args, kept)


def _restored(kind: Type[KinoraError], args: Any, facts: Mapping[str, Any]) -> KinoraError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class InvalidRequestError(KinoraError):
    """The request is wrong; `param` names the field, and `problem` what is wrong with an image source."""

    problem: Optional[str] = None


class AuthenticationError(KinoraError):
    """The API key is missing, unknown, revoked or expired."""


class InsufficientBalanceError(KinoraError):
    """The balance, or the budget of the key, does not cover the price."""


class PermissionDeniedError(KinoraError):
    """The account, or the scope of the key, does not allow it."""


class NotFoundError(KinoraError):
    """No such job, model or route."""


class IdempotencyConflictError(KinoraError):
    """The idempotency key belongs to another request."""


class ContentBlockedError(KinoraError):
    """Moderation refused the prompt or an image."""


class RateLimitError(KinoraError):
    """Too many requests, or too many jobs in flight."""


class CapacityError(KinoraError):
    """The service is out of capacity for now."""


class APIError(KinoraError):
    """The service, or a proxy before it, failed."""


class ConnectionError(KinoraError):  # noqa: A001
    """No complete answer: `code` is `connection`, `timeout` or `truncated`."""


class WebhookVerificationError(KinoraError):
    """A webhook is not genuine, or was not given as it was received; `code` says which."""


class JobFailedError(KinoraError):
    """The job ended without a result, and its price was refunded. `code` is that of the job, or `canceled`."""

    def __init__(self, job: Job, idempotency_key: Optional[str] = None) -> None:
        error = job.get("error")
        code = error["code"] if error else "canceled"
        reason = error["message"] if error else "The job was canceled."
        super().__init__(
            f"Job {job['id']}: {code}: {reason}", type="job_failed", code=code, idempotency_key=idempotency_key
        )
        self.job = job
        self.job_id = job["id"]


class JobPendingError(KinoraError):
    """The wait ended before the job, which goes on. `code` is `timeout`, `unavailable` or `aborted`."""

    _resume: Optional[Callable[..., Any]] = None

    def __init__(
        self, job_id: str, code: str, idempotency_key: Optional[str] = None, resume: Optional[Callable[..., Any]] = None
    ) -> None:
        message = f"Job {job_id} has not ended yet ({code}). Nothing is lost: call resume(), or jobs.wait with its id."
        super().__init__(message, type="job_pending", code=code, idempotency_key=idempotency_key)
        self.job_id = job_id
        self._resume = resume

    def resume(self, **options: Any) -> Any:
        """Waits again, with the options of `jobs.wait`. To be awaited where the client is asynchronous."""
        if self._resume is None:
            raise RuntimeError("This error comes from another process: call jobs.wait with its job_id.")
        return self._resume(**options)


_BY_TYPE: Dict[str, Type[KinoraError]] = {
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "insufficient_balance": InsufficientBalanceError,
    "permission_error": PermissionDeniedError,
    "not_found": NotFoundError,
    "idempotency_conflict": IdempotencyConflictError,
    "content_blocked": ContentBlockedError,
    "rate_limit_error": RateLimitError,
    "capacity_error": CapacityError,
    "api_error": APIError,
}
_BY_STATUS: Dict[int, Type[KinoraError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientBalanceError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: IdempotencyConflictError,
    422: ContentBlockedError,
    429: RateLimitError,
    503: CapacityError,
}


def error_of(
    status: int, headers: Mapping[str, str], content: bytes, idempotency_key: Optional[str] = None, hint: str = ""
) -> KinoraError:
    """The error of an answer. Its type decides the class; an answer without a known type is classed by its status."""
    envelope = _envelope_of(content)
    kind = _text(envelope, "type")
    chosen = _BY_TYPE.get(kind or "") or _BY_STATUS.get(status, APIError)
    code, message = _text(envelope, "code"), _text(envelope, "message")
    detail = f"{code}: {message}" if code and message else _foreign_answer(status, headers, hint)
    request_id = _text(envelope, "request_id") or headers.get("x-request-id")
    return chosen(
        f"{status} {detail}" + (f" ({request_id})" if request_id else ""),
        status=status,
        type=kind,
        code=code,
        param=_text(envelope, "param"),
        request_id=request_id,
        idempotency_key=idempotency_key,
        retry_after_seconds=retry_after_seconds(headers),
    )


def _foreign_answer(status: int, headers: Mapping[str, str], hint: str) -> str:
    """What the answer of another server means, most often behind a wrong address."""
    if 300 <= status < 400:
        # Without path and query, which may hold a secret.
        target = urlsplit(headers.get("location", ""))
        origin = f" to {target.scheme}://{target.netloc}" if target.netloc else ""
        return f"the server redirects{origin}, which is not followed: correct base_url"
    return f"the answer is not one of the service{hint}"


def _envelope_of(content: bytes) -> Mapping[str, Any]:
    try:
        error: Any = json.loads(content)["error"]
        return error if isinstance(error, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    except (ValueError, KeyError, TypeError):
        return {}


def _text(envelope: Mapping[str, Any], field: str) -> Optional[str]:
    value = envelope.get(field)
    return value if isinstance(value, str) else None
