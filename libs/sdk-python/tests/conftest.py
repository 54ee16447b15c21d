from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict

import pytest

from callers import AsyncCaller, SyncCaller

REPOSITORY = pathlib.Path(os.environ.get("KINORA_REPOSITORY", pathlib.Path(__file__).parents[3]))


@pytest.fixture(params=[SyncCaller(), AsyncCaller()], ids=lambda caller: caller.name)
def caller(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="session")
def stack() -> Dict[str, Any]:
    """The running stack, as `stack.json` of its data folder describes it."""
    return json.loads((pathlib.Path(os.environ["KINORA_DATA_DIR"]) / "stack.json").read_text())
