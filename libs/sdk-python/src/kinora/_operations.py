"""The operations of the API: their methods, paths, queries and bodies."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Tuple

from ._calls import Operation, segment
from ._flow import Flow
from ._options import split
from ._sources import with_images

GET_PING = Operation("GET", "/ping")
LIST_MODELS = Operation("GET", "/models")
GET_ACCOUNT = Operation("GET", "/account")

Arguments = Mapping[str, Any]
Created = Tuple[Operation, Dict[str, Any]]


def creation(path: str, arguments: Arguments) -> Flow[Created]:
    """A creation with its images, and the options of the call."""
    fields, options = split(arguments)
    body = yield from with_images(fields)
    return Operation("POST", path, body=body, creates_job=True), options


def job(job_id: str, part: str = "") -> Operation:
    return Operation("GET", f"/jobs/{segment(job_id)}{part}")


def cancel(job_id: str) -> Operation:
    return Operation("POST", f"/jobs/{segment(job_id)}/cancel")


def appeal(job_id: str, text: str) -> Operation:
    return Operation("POST", f"/jobs/{segment(job_id)}/appeal", body={"text": text})


def delete(job_id: str, part: str) -> Operation:
    return Operation("DELETE", f"/jobs/{segment(job_id)}/{part}")


def listing(path: str, **query: Any) -> Operation:
    return Operation("GET", path, query=query)


def provenance_check(image: Any) -> Flow[Operation]:
    body = yield from with_images({"image": image})
    return Operation("POST", "/provenance/check", body=body)


def quote(operation: str, request: Mapping[str, Any]) -> Operation:
    fields, _ = split(request)
    # The price does not depend on the images, which may be paths or streams here.
    without_images = {name: value for name, value in fields.items() if name not in ("image", "images")}
    return Operation("POST", "/quotes", body={"operation": operation, "request": without_images})


def once(method: str, path: str, body: Any = None) -> Operation:
    """An operation that takes effect again when it is repeated."""
    return Operation(method, path, body=body, repeatable=False)


def key(key_id: str) -> str:
    return f"/account/keys/{segment(key_id)}"


def delivery(delivery_id: str) -> str:
    return f"/webhooks/deliveries/{segment(delivery_id)}"


def next_page(operation: Operation, page: Mapping[str, Any]) -> "List[Operation]":
    """The operation of the next page; empty behind the last one."""
    if not page.get("has_more") or page.get("next_cursor") is None:
        return []
    name = "after" if operation.path == "/events" else "cursor"
    return [operation._replace(query={**operation.query, name: page["next_cursor"]})]
