"""The signature of receipts: a compact JWS with Ed25519, as test/sdk-vectors/receipts.json says."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Dict, Mapping, Optional, cast

from ._calls import Attempts, Operation, Options, exchange
from ._errors import KinoraError
from ._flow import Flow
from ._options import Settings
from .types import Receipt, ReceiptPayload

RECEIPT_TYPE = "kinora-receipt+jws"
KEY_SET = "/.well-known/jwks.json"
KeySet = Mapping[str, Any]


def verify(settings: Settings, receipt: Receipt, keys: Optional[KeySet], options: Options) -> Flow[ReceiptPayload]:
    """What the service has signed; `keys` is its key set, which is read from the service where none is given."""
    header, payload, signature = _parts_of(receipt["jws"])
    facts = _object(header)
    # The header chooses the key, but never the algorithm.
    if facts.get("alg") != "EdDSA" or facts.get("typ") != RECEIPT_TYPE or "crit" in facts:
        raise _invalid("it is no signature of a receipt")
    key = _key_of(keys if keys is not None else (yield from _published_keys(settings, options)), facts.get("kid"))
    _check_signature(key, _bytes(signature), f"{header}.{payload}".encode())
    stated = _object(payload)
    if stated.get("job_id") != receipt["job_id"]:
        raise _invalid("it is that of another job")
    return cast(ReceiptPayload, stated)


def _check_signature(key: bytes, signature: bytes, message: bytes) -> None:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as missing:
        raise KinoraError(
            'Receipts are verified by the package cryptography: pip install "kinora[receipts]".',
            type="missing_package",
            code="missing_package",
        ) from missing
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError) as wrong:
        raise _invalid("the signature does not match") from wrong


def _published_keys(settings: Settings, options: Options) -> Flow[KeySet]:
    """Beside the version of the API; where the base URL ends in no version, at the root of its host (RFC 8615)."""
    found = re.match(r"(.*)/v\d+$", settings.base_url) or re.match(r"([a-z]+://[^/]+)", settings.base_url, re.IGNORECASE)
    # Another server of the host may answer, so it does not get the key.
    headers = {name: value for name, value in settings.headers.items() if name != "authorization"}
    public = settings._replace(base_url=found.group(1) if found else settings.base_url, headers=headers)
    attempts = Attempts(
        options.get("timeout", settings.timeout), options.get("max_retries", settings.max_retries)
    )
    keys, _ = yield from exchange(public, Operation("GET", KEY_SET), options, attempts, None)
    return keys


def _key_of(keys: KeySet, kid: Any) -> bytes:
    for key in cast("list[Dict[str, Any]]", keys.get("keys", [])):
        if (key.get("kid"), key.get("kty"), key.get("crv")) == (kid, "OKP", "Ed25519"):
            return _bytes(str(key.get("x", "")))
    raise _invalid(f"no public key has the id {kid}")


def _parts_of(jws: str) -> "tuple[str, str, str]":
    parts = jws.split(".")
    if len(parts) != 3:
        raise _invalid("it is no compact JWS")
    return parts[0], parts[1], parts[2]


def _object(part: str) -> Dict[str, Any]:
    try:
        value: Any = json.loads(_bytes(part))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _invalid("it is no compact JWS")
    return cast("Dict[str, Any]", value)


def _bytes(part: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]*", part) or len(part) % 4 == 1:
        raise _invalid("it is no compact JWS")
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _invalid(why: str) -> KinoraError:
    return KinoraError(f"The receipt proves nothing: {why}.", type="receipt_invalid", code="receipt_invalid")
