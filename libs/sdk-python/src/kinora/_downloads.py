"""Outputs on their way to the disk: streamed, checked, and renamed only when they are complete."""

from __future__ import annotations

import hashlib
import os
import uuid
from typing import IO, Any, List, Mapping, NamedTuple, Optional, TypedDict, Union, cast

from ._calls import Operation, Options, broken_off, call, segment
from ._errors import InvalidRequestError, KinoraError, NotFoundError, error_of
from ._flow import BrokenOff, Close, Flow, Open, Opened, Outgoing, Read, Run, Sleep
from ._options import Settings, refuse_unknown
from ._retries import Answered, retry_delay
from ._streams import beginning_of
from ._waiting import settled
from .types import ImageOutput, Job, Receipt, VideoOutput

IDLE_SECONDS = 60.0

Output = Union[ImageOutput, VideoOutput, str]
Path = Union[str, "os.PathLike[str]"]


class DownloadedFile(TypedDict):
    """A file on the disk, whose length has been checked."""

    path: str
    bytes: int
    sha256: str


class _Expected(NamedTuple):
    url: str
    length: Optional[int]
    sha256: Optional[str]


class _Received(NamedTuple):
    length: int
    sha256: str
    content: bytes


def download(settings: Settings, output: Output, path: Optional[Path], sha256: Optional[str], options: Options) -> Flow[Any]:
    """The file of an output: on the disk, or its bytes where no path is given."""
    refuse_unknown(options)
    expected = _expected(output, sha256)
    if path is None:
        received = yield from _repeated(settings, expected, None, options)
        return received.content
    target = os.fspath(path)
    folder, name = os.path.split(os.path.abspath(target))
    temporary = os.path.join(folder, f".{name}.{uuid.uuid4().hex}.part")
    try:
        received = yield from _repeated(settings, expected, temporary, options)
        yield Run(lambda: os.replace(temporary, target))
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return DownloadedFile(path=target, bytes=received.length, sha256=received.sha256)


def download_job(settings: Settings, job: Union[Job, str], folder: Path, options: Options) -> Flow[List[DownloadedFile]]:
    """Every output of a job, against the hashes of its receipt."""
    job_id = job if isinstance(job, str) else job["id"]
    # Links expire, so the job is read again.
    found = settled(cast(Job, (yield from call(settings, Operation("GET", f"/jobs/{segment(job_id)}"), options))))
    hashes = yield from _hashes_of(settings, job_id, options)
    yield Run(lambda: os.makedirs(folder, exist_ok=True))
    files: List[DownloadedFile] = []
    for index, output in enumerate(_outputs_of(found)):
        extension = output["mime"].partition("/")[2].replace("jpeg", "jpg")
        name = f"{job_id}-{index}.{extension}"
        expected = hashes[index] if index < len(hashes) else None
        files.append((yield from download(settings, output, os.path.join(folder, name), expected, options)))
    return files


def _hashes_of(settings: Settings, job_id: str, options: Options) -> Flow[List[str]]:
    """Of the outputs, by the receipt. Services of an older release have none."""
    operation = Operation("GET", f"/jobs/{segment(job_id)}/receipt")
    try:
        receipt = cast(Receipt, (yield from call(settings, operation, options)))
    except NotFoundError:
        return []
    return receipt["payload"]["output_sha256"] or []


def _outputs_of(job: Job) -> List[Union[ImageOutput, VideoOutput]]:
    output = job["output"]
    if output is None:
        return []
    return [*output["images"]] if "images" in output else [output["video"]]


def _expected(output: Output, sha256: Optional[str]) -> _Expected:
    if isinstance(output, str):
        return _Expected(output, None, sha256)
    if not isinstance(output, dict) or "url" not in output:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidRequestError(
            "There is no such output.", type="invalid_request_error", code="invalid_output", param="output"
        )
    url = output["url"]
    if url is None:
        raise NotFoundError("The output was deleted or has expired.", type="not_found", code="not_found")
    return _Expected(url, output.get("bytes"), sha256)


def _repeated(settings: Settings, expected: _Expected, path: Optional[str], options: Options) -> Flow[_Received]:
    max_retries = options.get("max_retries", settings.max_retries)
    attempt = 0
    while True:
        outcome: Union[Answered, str]
        try:
            return (yield from _attempt(expected, path, options))
        except BrokenOff as broken:
            outcome, error = broken.code, broken_off(broken, "The download")
        except KinoraError as refused:
            if refused.status is None:
                raise
            after = refused.retry_after_seconds
            headers: Mapping[str, str] = {} if after is None else {"retry-after": str(int(after))}
            outcome, error = Answered(refused.status, headers), refused
        # Neither the link nor its host: both are in the address that gives access to the file.
        settings.logger.debug("GET output failed attempt=%d: %s", attempt + 1, error.code or error.status)
        delay = retry_delay(outcome, attempt)
        if delay is None or attempt >= max_retries:
            raise error
        attempt += 1
        yield Sleep(delay)


def _attempt(expected: _Expected, path: Optional[str], options: Options) -> Flow[_Received]:
    # The link is signed: the key of the account must not reach the host of the files.
    headers = {"accept": "*/*", "accept-encoding": "identity"}
    request = Outgoing("GET", expected.url, headers, None, options.get("on_response"))
    opened: Opened = yield Open(request, options.get("timeout", IDLE_SECONDS), None)
    if opened.response.status_code != 200:
        content = yield from beginning_of(opened)
        raise error_of(opened.response.status_code, opened.response.headers, content)
    file = None if path is None else cast(IO[bytes], (yield Run(lambda: open(path, "wb"))))
    try:
        received = yield from _receive(opened, file)
    finally:
        if file is not None:
            file.close()
    yield Close(opened)
    declared = opened.response.headers.get("content-length")
    for length in (expected.length, int(declared) if declared else None):
        if length is not None and length != received.length:
            raise BrokenOff("truncated", f"the file has {received.length} of {length} bytes")
    if expected.sha256 is not None and received.sha256 != expected.sha256.lower():
        raise BrokenOff("truncated", f"the file has the SHA-256 {received.sha256} instead of {expected.sha256}")
    return received


def _receive(opened: Opened, file: Optional[IO[bytes]]) -> Flow[_Received]:
    digest, length, kept = hashlib.sha256(), 0, bytearray()
    while True:
        chunk: Optional[bytes] = yield Read(opened)
        if chunk is None:
            break
        digest.update(chunk)
        length += len(chunk)
        if file is None:
            kept += chunk
        else:
            file.write(chunk)
    if file is not None:
        # The rename must not reach the disk before the bytes do.
        descriptor = file
        yield Run(lambda: (descriptor.flush(), os.fsync(descriptor.fileno())))
    return _Received(length, digest.hexdigest(), bytes(kept))
