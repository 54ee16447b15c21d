"""Every operation against the service, blocking and asynchronous."""

from __future__ import annotations

import logging
import socket
import threading
import time
from typing import Any, Dict

import pytest
from conftest import eventually
from kinora import ConnectionError, InvalidRequestError, Kinora, NotFoundError


@pytest.fixture
def use(stack: Dict[str, Any], caller: Any) -> Any:
    account = stack["accounts"]["main"]
    return lambda call: caller.call(stack["base_url"], call, api_key=account["api_key"])


@pytest.fixture
def collect(stack: Dict[str, Any], caller: Any) -> Any:
    account = stack["accounts"]["main"]
    return lambda call, limit=None: caller.collect(stack["base_url"], call, limit, api_key=account["api_key"])


def test_reading(use: Any, collect: Any) -> None:
    assert use(lambda one: one.ping())["ok"] is True
    assert use(lambda one: one.account.get())["currency"] == "USD"
    assert "fast-image" in [model["id"] for model in collect(lambda one: one.models.list())]
    assert "ink-wash" in [lora["id"] for lora in collect(lambda one: one.loras.list(model="fast-image"))]
    assert use(lambda one: one.usage.get(from_="2026-01-01", group_by="model"))["group_by"] == "model"
    with pytest.raises(InvalidRequestError) as refused:
        use(lambda one: one.provenance.check("data:image/png;base64,AAAA"))
    assert refused.value.param == "image"
    with pytest.raises(NotFoundError):
        use(lambda one: one.jobs.get("none"))
    with pytest.raises(InvalidRequestError) as raised:
        use(lambda one: one.images.create(prompt="a lighthouse", idempotency_key="two\nlines"))
    assert raised.value.param == "Idempotency-Key"


def test_a_job_from_its_quote_to_its_deletion(use: Any, collect: Any, tmp_path: Any) -> None:
    request = {"prompt": "a lighthouse", "model": "general-image"}
    quote = use(lambda one: one.quotes.create(operation="images.generations", request=request))
    job = use(lambda one: one.images.create(**request, quote=quote["id"]))
    assert use(lambda one: one.jobs.progress(job["id"]))["job_id"] == job["id"]
    events = collect(lambda one: one.jobs.events(job["id"]))
    assert (events[0].type, events[-1].type) == ("job.progress", "job.succeeded")
    assert events[-1].data["usage"]["charged_micros"] == quote["price"]["micros"]
    saved = use(lambda one: one.jobs.download(job["id"], tmp_path))
    receipt = use(lambda one: one.jobs.receipt(job["id"]))
    assert [file["sha256"] for file in saved] == receipt["payload"]["output_sha256"]
    assert job["id"] in [entry["job_id"] for entry in collect(lambda one: one.account.statement(limit=10), 10)]
    known = eventually(lambda: events_up_to(job["id"], collect))
    streamed = collect(lambda one: one.events.stream(), 1)
    assert streamed[0].event["id"] == known[0]["id"]
    behind = collect(lambda one: one.events.list(after=streamed[0].cursor))
    assert [event["id"] for event in behind] == [event["id"] for event in known[1:]]
    again = collect(lambda one: one.jobs.events(job["id"], last_event_id=events[0].id))
    assert [event.type for event in again][-1] == "job.succeeded"
    stated = use(lambda one: one.receipts.verify(receipt))
    assert stated["output_sha256"] == receipt["payload"]["output_sha256"]
    assert use(lambda one: one.request("GET", "/jobs", query={"limit": 1}))["data"][0]["id"] == job["id"]
    assert use(lambda one: one.jobs.delete_outputs(job["id"]))["output"]["images"][0]["url"] is None
    assert use(lambda one: one.jobs.delete_content(job["id"]))["input"]["prompt"] == ""
    assert job["id"] in [each["id"] for each in collect(lambda one: one.jobs.list(limit=1), 5)]


def events_up_to(job_id: str, collect: Any) -> Any:
    """The feed once it has the end of the job, which the service publishes behind the answer."""
    known = collect(lambda one: one.events.list(limit=100))
    return known if job_id in [event["data"]["object"]["id"] for event in known] else None


def test_administration(use: Any, collect: Any) -> None:
    key = use(lambda one: one.keys.create(name="ci", scope="read"))
    assert key["id"] in [each["id"] for each in collect(lambda one: one.keys.list(limit=1))]
    rotated = use(lambda one: one.keys.rotate(key["id"], overlap_seconds=60))
    assert rotated["api_key"] != key["api_key"]
    assert use(lambda one: one.keys.revoke(key["id"]))["deleted"] is True
    with pytest.raises(InvalidRequestError) as raised:
        use(lambda one: one.webhooks.test(url="http://127.0.0.1/hook"))
    assert raised.value.param == "url"
    assert collect(lambda one: one.deliveries.list(status="pending", limit=5), 5) == []
    for call in (lambda one: one.deliveries.get("none"), lambda one: one.deliveries.redeliver("none")):
        with pytest.raises(NotFoundError):
            use(call)


def test_rotating_the_webhook_secret_of_another_account(stack: Dict[str, Any]) -> None:
    with Kinora(stack["accounts"]["faults"]["api_key"], stack["base_url"]) as client:
        assert client.webhooks.rotate_secret(overlap_seconds=60)["webhook_secret"].startswith("whsec_")


def test_keys_and_signed_links_are_not_logged(use: Any, stack: Dict[str, Any], caplog: Any) -> None:
    with caplog.at_level(logging.DEBUG):
        job = use(lambda one: one.images.generate(prompt="a quiet harbour", model="fast-image"))
        link = job["output"]["images"][0]["url"]
        use(lambda one: one.download(job["output"]["images"][0]))
    assert "/images/generations" in caplog.text
    for secret in (stack["accounts"]["main"]["api_key"], link, link.partition("?")[2], "a quiet harbour"):
        assert secret not in caplog.text


def test_a_timeout_bounds_a_whole_attempt(caller: Any) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        try:
            while True:
                connection.sendall(b" ")
                time.sleep(0.05)
        except OSError:
            pass

    threading.Thread(target=drip, daemon=True).start()
    with pytest.raises(ConnectionError) as raised:
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        caller.call(base_url, lambda one: one.account.get(timeout=0.5, max_retries=0))
    assert raised.value.code == "timeout"
