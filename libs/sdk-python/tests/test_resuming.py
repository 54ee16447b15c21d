"""Kills the process of a client at each step; a new one goes on from the stored handle, with the same job."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Callable, Dict, Optional

import pytest
from faulty_proxy import FaultyProxy
from kinora import Kinora
from scripted_server import Request

PROGRAM = pathlib.Path(__file__).parents[1] / "examples/resume_after_crash.py"


def stage_at(method: str, part: str, stage: str) -> Callable[[Request], Optional[str]]:
    return lambda request: stage if request.method == method and part in request.path else None


STEPS = {
    "before the service has the request": stage_at("POST", "/images/generations", "sent"),
    "before the answer arrives": stage_at("POST", "/images/generations", "answered"),
    "while it waits": stage_at("GET", "/events", "sent"),
    "while it downloads": stage_at("GET", "/files/", "half"),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_process_is_resumed(step: str, stack: Dict[str, Any], tmp_path: pathlib.Path) -> None:
    account = stack["accounts"]["main"]
    store, target = tmp_path / "handle.json", tmp_path / "lighthouse.png"
    with Kinora(account["api_key"], stack["base_url"]) as direct, FaultyProxy(stack["base_url"]) as proxy:
        newest = direct.jobs.list(limit=1).data
        environment = {**os.environ, "KINORA_API_KEY": account["api_key"], "KINORA_BASE_URL": proxy.base_url}
        command = [sys.executable, str(PROGRAM), str(store), str(target)]
        proxy.hold = STEPS[step]
        with subprocess.Popen(command, env=environment) as process:
            assert proxy.held.wait(60)
            process.kill()
        assert not target.exists()
        proxy.hold = None
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=120)
        job_id = json.loads(store.read_text())["job_id"]
        assert done.stdout.split() == [str(target), job_id]
        assert target.read_bytes().startswith(b"\x89PNG")
        created = [job["id"] for job in direct.jobs.list(limit=2).data if job not in newest]
        assert created[0] == job_id
        assert len(created) == 1 or created[1] == (newest[0]["id"] if newest else None)
