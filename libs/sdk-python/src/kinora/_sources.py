"""Where images come from: a URL, a path, bytes or a stream; the API takes URLs and data URIs."""

from __future__ import annotations

import base64
import os
import stat
from typing import Any, Dict, List, Optional, Union, cast

from ._errors import InvalidRequestError
from ._flow import Drain, Flow, Run

MAX_IMAGE_BYTES = 10 * 1024 * 1024

def with_images(fields: Dict[str, Any]) -> Flow[Dict[str, Any]]:
    """The fields of a request, with every image as the API takes it."""
    sent = dict(fields)
    if "image" in sent:
        sent["image"] = yield from _to_text(sent["image"], "image")
    if "images" in sent:
        images: List[str] = []
        for index, source in enumerate(cast(List[Any], sent["images"])):
            images.append((yield from _to_text(source, f"images[{index}]")))
        sent["images"] = images
    return sent


def _to_text(source: Any, param: str) -> Flow[str]:
    if isinstance(source, str) and source.lower().startswith(("http://", "https://", "data:")):
        return source
    if isinstance(source, str) and source == "":
        raise _refusal(param, "empty", "the text is empty")
    if isinstance(source, (str, os.PathLike)):
        path = cast("Union[str, os.PathLike[str]]", source)
        content: bytes = yield Run(lambda: _read_file(path, param))
    elif isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(cast(bytes, source))
    elif hasattr(source, "read") or hasattr(source, "__iter__") or hasattr(source, "__aiter__"):
        content = yield Drain(source, MAX_IMAGE_BYTES + 1)
    else:
        raise _refusal(param, "unsupported", "give a URL, a path, bytes or a stream")
    return to_data_uri(content, param)


def to_data_uri(content: bytes, param: str) -> str:
    """The data URI of an image, whose bytes decide its type."""
    if not content:
        raise _refusal(param, "empty", "there are no bytes")
    if len(content) > MAX_IMAGE_BYTES:
        raise _refusal(param, "too_large", "the limit is 10 MiB")
    mime = _mime_of(content)
    if mime is None:
        raise _refusal(param, "not_an_image", "the bytes are no PNG, JPEG or WebP")
    return f"data:{mime};base64,{base64.b64encode(content).decode()}"


def _read_file(path: "Union[str, os.PathLike[str]]", param: str) -> bytes:
    try:
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("it is no file")
            return file.read(MAX_IMAGE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _refusal(param, "unreadable", "no file can be read at this path") from error


def _mime_of(content: bytes) -> Optional[str]:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else None


def _refusal(param: str, problem: str, reason: str) -> InvalidRequestError:
    message = f"{param} cannot be sent: {reason}."
    error = InvalidRequestError(message, type="invalid_request_error", code="invalid_body", param=param)
    error.problem = problem
    return error
