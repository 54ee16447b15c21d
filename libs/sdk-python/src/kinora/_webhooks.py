"""The signature of webhooks: `t=<seconds>,v1=<hex HMAC-SHA256>`, one `v1` for each valid secret."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, cast

from ._errors import WebhookVerificationError
from .types import WebhookEvent

TOLERANCE_SECONDS = 300
SIGNATURE_HEADER = "x-service-signature"

Secrets = Union[str, Sequence[str]]


def unwrap_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Secrets,
    *,
    now: Optional[float] = None,
) -> WebhookEvent:
    """The event of a genuine webhook. Give the body as received, and during a rotation both secrets."""
    body = _bytes_of(raw_body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not any(secrets):
        raise _refusal("secret_missing", "Give the webhook secret of the account.")
    sent_at, signatures = _parse(_signature_of(headers))
    if abs((time.time() if now is None else now) - sent_at) > TOLERANCE_SECONDS:
        raise _refusal("timestamp_out_of_range", f"The webhook was signed more than {TOLERANCE_SECONDS} seconds away.")
    expected = [_sign(body, sent_at, one) for one in secrets if one]
    if not any([hmac.compare_digest(one, given.encode()) for one in expected for given in signatures]):
        raise _refusal("signature_mismatch", "The signature belongs to another body or another secret.")
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError as error:
        raise _refusal("body_invalid", "The body is genuine, but no JSON.") from error


def _bytes_of(raw_body: Any) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode()
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(cast(bytes, raw_body))
    raise _refusal("body_parsed", "Give the raw bytes of the request: parsed JSON has lost the bytes that were signed.")


def _signature_of(headers: Mapping[str, Any]) -> str:
    pairs: Iterable[Tuple[Any, Any]] = headers.items()
    for name, value in pairs:
        if _text(name).lower() == SIGNATURE_HEADER and value:
            return _text(value)
    raise _refusal("signature_missing", "The request has no X-Service-Signature header.")


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _parse(signature: str) -> Tuple[int, List[str]]:
    items = [item.strip().partition("=")[::2] for item in signature.split(",")]
    sent_at = next((value for name, value in items if name == "t"), "")
    signatures = [value for name, value in items if name == "v1"]
    if not re.fullmatch(r"[0-9]{1,15}", sent_at) or not signatures:
        raise _refusal("signature_malformed", "The X-Service-Signature header is not of the form t=…,v1=….")
    return int(sent_at), signatures


def _sign(body: bytes, sent_at: int, secret: str) -> bytes:
    return hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest().encode()


def _refusal(code: str, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(message, code=code)
