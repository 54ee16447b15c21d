from __future__ import annotations

import json
from typing import Any, Dict, List

from conftest import REPOSITORY


def vectors(name: str) -> Any:
    """A file in which `$name` is that entry of `shared`, and `defaults` complete a case."""
    content = json.loads((REPOSITORY / "test/sdk-vectors" / f"{name}.json").read_text(encoding="utf-8"))

    def expanded(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return expanded(content["shared"][value[1:]])
        if isinstance(value, dict):
            return {key: expanded(part) for key, part in value.items()}
        return [expanded(part) for part in value] if isinstance(value, list) else value

    defaults = content.get("defaults", {})
    return {**content, "cases": [expanded({**defaults, **case}) for case in content["cases"]]}


def cases(name: str) -> List[Dict[str, Any]]:
    return vectors(name)["cases"]


def title(case: Dict[str, Any]) -> str:
    return case["title"].replace(" ", "-")


def facts_of(error: Any, names: Any) -> Dict[str, Any]:
    """What a vector says of an error, from the error itself."""
    facts = {name: getattr(error, name, None) for name in names if name not in ("class", "cause")}
    facts["class"] = type(error).__name__
    if "cause" in names:
        facts["cause"] = type(error.__cause__).__name__
    return facts
