"""Interrupted waits. Python has no signal: a cancelled task and KeyboardInterrupt take its place, and both go on."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Optional

import pytest
from kinora import AsyncKinora, JobPendingError, Kinora
from scripted_server import ScriptedServer


def interrupted_wait(server: ScriptedServer, caller_name: str, case: Dict[str, Any], job_id: str) -> List[Any]:
    """The updates until the interruption, which carries the handle of the job."""
    updates: List[Any] = []
    cancels = case["options"].get("cancel_on_abort", False)
    if caller_name == "sync":
        error = _interrupt(server.base_url, job_id, cancels, updates)
    else:
        error = asyncio.run(_cancel(server.base_url, job_id, cancels, updates))
    pending = _pending_of(error)
    assert pending is not None
    assert (pending.code, pending.job_id) == ("aborted", job_id)
    return updates


def _interrupt(base_url: str, job_id: str, cancels: bool, updates: List[Any]) -> BaseException:
    def on_update(progress: Any) -> None:
        updates.append(progress)
        raise KeyboardInterrupt

    with Kinora("knr_test_x", base_url, max_retries=2) as client:
        with pytest.raises(KeyboardInterrupt) as raised:
            client.jobs.wait(job_id, on_update=on_update, cancel_on_abort=cancels)
    return raised.value


async def _cancel(base_url: str, job_id: str, cancels: bool, updates: List[Any]) -> BaseException:
    async with AsyncKinora("knr_test_x", base_url, max_retries=2) as client:

        def on_update(progress: Any) -> None:
            updates.append(progress)
            task.cancel()

        task = asyncio.ensure_future(client.jobs.wait(job_id, on_update=on_update, cancel_on_abort=cancels))
        with pytest.raises(asyncio.CancelledError) as raised:
            await task
    return raised.value


def _pending_of(error: Optional[BaseException]) -> Optional[JobPendingError]:
    """Before Python 3.11, the error of an awaited task is another one, with that of the task as its context."""
    while error is not None and not isinstance(error, JobPendingError):
        error = error.__cause__ or error.__context__
    return error
