"""What an error carries when a program is interrupted, or hands it to another process."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any, List

import pytest
from kinora import AsyncKinora, ConnectionError, InvalidRequestError, JobFailedError, JobPendingError, Kinora, KinoraError
from scripted_server import ScriptedServer

JOB: Any = {"id": "019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11", "object": "job", "status": "queued", "error": None}
CREATED = {"status": 202, "headers": {"content-type": "application/json"}, "body": JOB}


def test_an_interrupted_creation_has_its_key() -> None:
    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    with ScriptedServer([CREATED]) as server, Kinora("knr_test_x", server.base_url) as client:
        with pytest.raises(KeyboardInterrupt) as raised:
            client.images.generate(prompt="a lighthouse", on_response=interrupt)
    assert key_of(raised.value) == [server.requests[0].headers["idempotency-key"]]


def test_a_cancelled_creation_has_its_key() -> None:
    async def run(base_url: str) -> BaseException:
        async with AsyncKinora("knr_test_x", base_url) as client:
            call = client.images.create(prompt="a lighthouse", on_response=lambda _: task.cancel())
            task = asyncio.ensure_future(call)
            with pytest.raises(asyncio.CancelledError) as raised:
                await task
            return raised.value

    with ScriptedServer([CREATED]) as server:
        error = asyncio.run(run(server.base_url))
    assert key_of(error) == [server.requests[0].headers["idempotency-key"]]


def key_of(error: Any) -> List[Any]:
    """Before Python 3.11, the error of an awaited task is another one, with that of the task as its context."""
    while error is not None and not isinstance(error, ConnectionError):
        error = error.__cause__ or error.__context__
    return [] if error is None or error.code != "aborted" else [error.idempotency_key]


@pytest.mark.parametrize(
    "error",
    [
        InvalidRequestError("wrong", status=400, param="n", idempotency_key="order-1"),
        JobFailedError(JOB, "order-1"),
        JobPendingError(JOB["id"], "timeout", "order-1", lambda: None),
    ],
)
def test_an_error_passes_to_another_process(error: KinoraError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (type(error), str(error))
    assert {**vars(copy), "_resume": None} == {**vars(error), "_resume": None}
    if isinstance(copy, JobPendingError):
        with pytest.raises(RuntimeError, match="jobs.wait"):
            copy.resume()
