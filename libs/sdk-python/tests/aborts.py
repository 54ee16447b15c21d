"""Interrupted waits. Python has no signal: a cancelled task and KeyboardInterrupt take its place, and both go on."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List

import pytest
from kinora import AsyncKinora, JobPendingError
from scripted_server import ScriptedServer


def check_abort(case: Dict[str, Any], job_id: str) -> None:
    """Cancels the task that waits; the cancellation goes on with the handle of the job as its cause."""
    from test_vectors import assert_sent

    options = case["options"]
    updates: List[Any] = []

    async def run(base_url: str) -> None:
        async with AsyncKinora("knr_test_x", base_url, max_retries=2) as client:

            def on_update(progress: Any) -> None:
                updates.append(progress)
                if len(updates) == options["abort_after_updates"]:
                    task.cancel()

            cancels = options.get("cancel_on_abort", False)
            task = asyncio.ensure_future(client.jobs.wait(job_id, on_update=on_update, cancel_on_abort=cancels))
            with pytest.raises(asyncio.CancelledError) as raised:
                await task
            pending = raised.value.__cause__
            assert isinstance(pending, JobPendingError)
            assert (pending.code, pending.job_id) == ("aborted", job_id)

    with ScriptedServer([exchange["answer"] for exchange in case["exchange"]]) as server:
        asyncio.run(run(server.base_url))
    assert updates == case["updates"]
    assert_sent(server, case)
