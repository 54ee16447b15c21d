from __future__ import annotations

import json
import os
import pathlib
import sys
import time
from typing import Any, Callable, Dict, Iterator

import pytest

from callers import AsyncCaller, SyncCaller
from kinora import Kinora

# The library that reads content credentials supports no older version; they are not those of the client.
collect_ignore = [] if sys.version_info >= (3, 10) else ["test_credentials.py"]

REPOSITORY = pathlib.Path(os.environ.get("KINORA_REPOSITORY", pathlib.Path(__file__).parents[3]))


def eventually(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What `found` gives once it is not None."""
    deadline = time.monotonic() + seconds
    while True:
        result = found()
        if result is not None:
            return result
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.2)


@pytest.fixture(params=[SyncCaller(), AsyncCaller()], ids=lambda caller: caller.name)
def caller(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="session")
def stack() -> Dict[str, Any]:
    """The address of the running stack, and its accounts."""
    return json.loads(pathlib.Path(os.environ["KINORA_TEST_STACK"]).read_text())


@pytest.fixture
def client(stack: Dict[str, Any]) -> Iterator[Kinora]:
    with Kinora(stack["accounts"]["main"]["api_key"], stack["base_url"]) as client:
        yield client
