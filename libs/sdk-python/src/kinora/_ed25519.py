"""Verifies Ed25519 signatures (RFC 8032) of public data. It handles no secret, so its time may depend on its input."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)


class _Point(NamedTuple):
    """Extended coordinates: the point is (x / z, y / z), and t = x * y / z."""

    x: int
    y: int
    z: int
    t: int


_NEUTRAL = _Point(0, 1, 1, 0)


def is_signed_by(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the holder of the key signed the message."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, commitment = _decode(public_key), _decode(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    # A scalar beyond the order would be a second signature of the same message.
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    return _are_equal(_times(scalar, _BASE), _add(commitment, _times(challenge, key)))


def _decode(encoded: bytes) -> Optional[_Point]:
    """The point of an encoded y with the sign of x in its highest bit; None where there is none."""
    number = int.from_bytes(encoded, "little")
    y, sign = number % 2**255, number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    if x % 2 != sign:
        x = _P - x
    return _Point(x, y, 1, x * y % _P)


def _add(one: _Point, other: _Point) -> _Point:
    """The sum, also of equal points and of the neutral one."""
    low = (one.y - one.x) * (other.y - other.x) % _P
    high = (one.y + one.x) * (other.y + other.x) % _P
    products = 2 * _D * one.t * other.t % _P
    depths = 2 * one.z * other.z % _P
    e, f, g, h = high - low, depths - products, depths + products, high + low
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(factor: int, point: _Point) -> _Point:
    product = _NEUTRAL
    while factor > 0:
        if factor % 2 == 1:
            product = _add(product, point)
        point = _add(point, point)
        factor //= 2
    return product


def _are_equal(one: _Point, other: _Point) -> bool:
    return (one.x * other.z - other.x * one.z) % _P == 0 and (one.y * other.z - other.y * one.z) % _P == 0


def _base() -> _Point:
    """The point with y = 4/5 and an even x, of which every public key is a multiple."""
    point = _decode((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


_BASE = _base()
