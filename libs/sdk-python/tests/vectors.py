from __future__ import annotations

import json
from typing import Any, Dict, List

from conftest import REPOSITORY


def vectors(name: str) -> Any:
    return json.loads((REPOSITORY / "test/sdk-vectors" / f"{name}.json").read_text(encoding="utf-8"))


def cases(name: str) -> List[Dict[str, Any]]:
    content = vectors(name)
    return content if isinstance(content, list) else content["cases"]


def title(case: Dict[str, Any]) -> str:
    return case["title"].replace(" ", "-")


def facts_of(error: Any, names: Any) -> Dict[str, Any]:
    """What a vector says of an error, from the error itself."""
    facts = {name: getattr(error, name, None) for name in names if name not in ("class", "cause")}
    facts["class"] = type(error).__name__
    if "cause" in names:
        facts["cause"] = type(error.__cause__).__name__
    return facts
