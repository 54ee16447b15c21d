"""Every block of the pages, and every example, against the stack."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import time
from typing import Any, Dict, List

import pytest
from conftest import REPOSITORY, eventually
from kinora import Kinora

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
BLOCK = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page: str) -> List[str]:
    """Blocks with a name are files, which other tests run; blocks with an ellipsis are not complete."""
    return [code for code in BLOCK.findall((REPOSITORY / page).read_text(encoding="utf-8")) if "…" not in code]


@pytest.mark.parametrize("page", ["docs/sdk/python.md", "docs/quickstart.md", "libs/sdk-python/README.md"])
def test_the_blocks_of_a_page_run(
    page: str, stack: Dict[str, Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = blocks_of(page)
    monkeypatch.chdir(tmp_path)
    for name, value in environment_of(stack).items():
        monkeypatch.setenv(name, value)
    scope: Dict[str, Any] = {"__name__": "page"}
    for code in blocks:
        exec(compile(code, page, "exec"), scope)
    assert any("import" in code for code in blocks)


def environment_of(stack: Dict[str, Any]) -> Dict[str, str]:
    account = stack["accounts"]["main"]
    return {
        "KINORA_API_KEY": account["api_key"],
        "KINORA_BASE_URL": stack["base_url"],
        "WEBHOOK_SECRET": account["webhook_secret"],
    }


def run_example(name: str, stack: Dict[str, Any], *arguments: str) -> List[str]:
    environment = {**os.environ, **environment_of(stack)}
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace("\r", "\n").strip().split("\n")


def test_every_example_is_run() -> None:
    text = pathlib.Path(__file__).read_text()
    resuming = pathlib.Path(__file__).with_name("test_resuming.py").read_text()
    assert [file.name for file in EXAMPLES.glob("*.py") if file.name not in text + resuming] == []


def test_batch(stack: Dict[str, Any], tmp_path: pathlib.Path) -> None:
    lines = run_example("batch.py", stack, str(tmp_path), "24", "8")
    assert lines[-1].endswith("24/24, 0 failed")
    assert len([file for file in tmp_path.iterdir() if file.read_bytes().startswith(b"\x89PNG")]) == 24


def test_edit_pipeline(stack: Dict[str, Any], tmp_path: pathlib.Path) -> None:
    lines = run_example("edit_pipeline.py", stack, str(tmp_path))
    assert [pathlib.Path(line).name for line in lines] == ["1.png", "2.png", "video.mp4"]
    assert b"ftyp" in (tmp_path / "video.mp4").read_bytes()[:16]


def test_agent(stack: Dict[str, Any], client: Kinora) -> None:
    # The budget of the agent is enough for two of three images.
    answers = [json.loads(line) for line in run_example("agent.py", stack)]
    assert [("link" in answer, "error" in answer) for answer in answers] == [(True, False), (True, False), (False, True)]
    assert re.fullmatch(r"The image costs 0\.\d{1,6} USD, and 0\.\d{1,6} USD are left\.", answers[2]["error"])
    assert client.download(answers[0]["link"]).startswith(b"\x89PNG")


def test_webhook_server(stack: Dict[str, Any], client: Kinora) -> None:
    job = client.images.generate(prompt="a lighthouse", model="fast-image")
    event = eventually(lambda: next((one for one in client.events.list() if one["data"]["object"]["id"] == job["id"]), None))
    raw_body = json.dumps(event).encode()
    now, secret = int(time.time()), stack["accounts"]["main"]["webhook_secret"]
    digest = hmac.new(secret.encode(), f"{now}.".encode() + raw_body, hashlib.sha256).hexdigest()
    environment = {**os.environ, **environment_of(stack)}
    command = [sys.executable, str(EXAMPLES / "webhook_server.py"), "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(re.findall(r"\d+", server.stdout.readline())[0])
            assert post(port, raw_body, f"t={now},v1={digest}") == 204
            assert post(port, raw_body, f"t={now},v1={digest}") == 204
            assert post(port, raw_body + b" ", f"t={now},v1={digest}") == 400
            assert server.stdout.readline().split() == ["job.succeeded", job["id"]]
            assert server.stdout.readline().split() == ["refused:", "signature_mismatch"]
        finally:
            server.kill()


def post(port: int, body: bytes, signature: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/", body, {"Content-Type": "application/json", "X-Service-Signature": signature})
    return connection.getresponse().status
