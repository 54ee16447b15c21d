import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def verify_webhook(raw_body: bytes, signature: str, secret: str, now_seconds: float | None = None) -> bool:
    """Whether a webhook comes from the service; raw_body must be the bytes as received."""
    items = [item.partition("=")[::2] for item in signature.split(",")]
    sent_at = next((value for name, value in items if name == "t"), "")
    now = time.time() if now_seconds is None else now_seconds
    if not re.fullmatch(r"[0-9]+", sent_at) or abs(now - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), f"{sent_at}.".encode() + raw_body, hashlib.sha256).hexdigest()
    given = [value for name, value in items if name == "v1"]
    return any(hmac.compare_digest(expected.encode(), value.encode()) for value in given)
