"""The vectors that every client library runs."""

from __future__ import annotations

import base64
import email.utils
import functools
import inspect
import io
import itertools
import json
from typing import Any, Dict
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from aborts import interrupted_wait
from kinora import CapacityError, KinoraError, WebhookVerificationError
from kinora._errors import error_of
from kinora._retries import Answered, retry_delay
from kinora._webhooks import unwrap_webhook
from scripted_server import ScriptedServer, bytes_of
from vectors import cases, facts_of, title, vectors

NOW = email.utils.parsedate_to_datetime("Fri, 20 Nov 2026 09:00:00 GMT").timestamp()
JOB = {"id": "019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11", "object": "job", "status": "queued"}


@pytest.mark.parametrize("case", cases("retries"), ids=title)
def test_retries(case: Dict[str, Any]) -> None:
    outcome = case["outcome"]
    decided = outcome["failure"] if "failure" in outcome else Answered(outcome["status"], outcome["headers"])
    delays = [retry_delay(decided, case["attempt"], case["repeatable"], NOW, lambda at=at: at) for at in (0.0, 1.0)]
    assert delays == (pytest.approx(case["delay_seconds"]) if case["delay_seconds"] else [None, None])


@pytest.mark.parametrize("case", cases("errors"), ids=title)
def test_errors(case: Dict[str, Any]) -> None:
    answer = case["answer"]
    error = error_of(answer["status"], answer["headers"], bytes_of(answer))
    assert facts_of(error, case["error"]) == case["error"]


@pytest.mark.parametrize("case", cases("errors"), ids=title)
def test_errors_of_calls(case: Dict[str, Any], caller: Any) -> None:
    with ScriptedServer([case["answer"]]) as server:
        with pytest.raises(KinoraError) as raised:
            caller.call(server.base_url, lambda client: client.account.get(), max_retries=0)
    assert facts_of(raised.value, case["error"]) == case["error"]


@pytest.mark.parametrize("case", cases("webhooks"), ids=title)
def test_webhooks(case: Dict[str, Any]) -> None:
    body: Any = case["body"]
    if case["body_kind"] == "bytes":
        body = body.encode()
    elif case["body_kind"] == "parsed":
        body = {"id": "evt_1"}
    secrets = case["secrets"][0] if len(case["secrets"]) == 1 else case["secrets"]
    if case["error"] is None:
        assert unwrap_webhook(body, case["headers"], secrets, now=case["now_seconds"])["id"] == "evt_1"
        return
    with pytest.raises(WebhookVerificationError) as raised:
        unwrap_webhook(body, case["headers"], secrets, now=case["now_seconds"])
    assert facts_of(raised.value, case["error"]) == case["error"]


@pytest.mark.parametrize("case", cases("pagination"), ids=title)
def test_pagination(case: Dict[str, Any], caller: Any) -> None:
    answers = [
        {"status": 200, "headers": {"content-type": "application/json"}, "body": page["body"]} for page in case["pages"]
    ]
    group, method = case["operation"].split(".")
    with ScriptedServer(answers) as server:
        found = caller.collect(
            server.base_url,
            lambda client: getattr(getattr(client, group), method)(**case["params"]),
            case["stop_after"],
        )
    assert [item["id"] for item in found] == case["items"]
    assert [parts_of(request.path) for request in server.requests] == [parts_of(page["path"]) for page in case["pages"]]
    assert server.surplus == 0


OPERATIONS = cases("operations")
LIST = {"object": "list", "data": [], "has_more": False, "next_cursor": None}
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("case", OPERATIONS, ids=lambda case: case["call"])
def test_operations(case: Dict[str, Any], caller: Any) -> None:
    with ScriptedServer([answer_to(case)]) as server:
        send(case, caller, server)
    (request,) = server.requests
    expected = case["request"]
    assert (request.method, urlsplit(request.path).path) == (expected["method"], expected["path"])
    assert dict(parse_qsl(urlsplit(request.path).query)) == expected.get("query", {})
    assert (json.loads(request.body) if request.body else None) == expected.get("body")
    for name, value in {**expected.get("headers", {}), "authorization": "Bearer knr_test_x"}.items():
        assert request.headers[name] == value


@pytest.mark.parametrize("case", [case for case in OPERATIONS if case.get("once")], ids=lambda case: case["call"])
def test_operations_that_are_not_repeated(case: Dict[str, Any], caller: Any) -> None:
    with ScriptedServer([{"status": 503, "headers": JSON, "body": {}}, answer_to(case)]) as server:
        with pytest.raises(CapacityError):
            send(case, caller, server)
    assert len(server.requests) == 1


def send(case: Dict[str, Any], caller: Any, server: ScriptedServer) -> None:
    # A keyword of Python is written with an underscore.
    fields = {"from_" if name == "from" else name: value for name, value in case.get("fields", {}).items()}

    def use(client: Any) -> Any:
        method = functools.reduce(getattr, case["call"].split("."), client)
        return method(*case.get("args", []), **fields, **case.get("options", {}))

    if case.get("iterates"):
        caller.collect(server.base_url, use, None)
    else:
        caller.call(server.base_url, use)


def answer_to(case: Dict[str, Any]) -> Dict[str, Any]:
    if case["operation"] == "followJob":
        return {"status": 200, "headers": {"content-type": "text/event-stream"}, "text": "event: job.succeeded\ndata: {}\n\n"}
    return {"status": 200, "headers": JSON, "body": LIST if case.get("iterates") else {"id": "x"}}


def parts_of(path: str) -> Any:
    # A vector writes values as they are, and the client encodes them.
    parsed = urlsplit(path.replace("+", "%2B") if "%" not in path else path)
    return parsed.path, parse_qs(parsed.query)


@pytest.mark.parametrize("case", cases("idempotency"), ids=title)
def test_idempotency(case: Dict[str, Any], caller: Any) -> None:
    names: Dict[str, str] = {}

    def named(key: str) -> str:
        return key if key.startswith("order-") else names.setdefault(key, f"#{len(names) + 1}")

    settings = {"max_retries": case["max_retries"]} if "max_retries" in case else {}
    answers = [scripted(answer) for call in case["calls"] for answer in call["answers"]]
    with ScriptedServer(answers) as server:
        for call in case["calls"]:
            before = len(server.requests)
            options = {} if call["idempotency_key"] is None else {"idempotency_key": call["idempotency_key"]}

            def use(client: Any, options: Any = options) -> Any:
                return client.images.create(prompt="a lighthouse", **options)

            if "error" in call:
                with pytest.raises(KinoraError) as raised:
                    caller.call(server.base_url, use, **settings)
                facts = facts_of(raised.value, call["error"])
                assert {**facts, "idempotency_key": named(facts["idempotency_key"])} == call["error"]
            else:
                caller.call(server.base_url, use, **settings)
            assert [named(it.headers["idempotency-key"]) for it in server.requests[before:]] == call["sent"]
    assert server.surplus == 0


def scripted(answer: Any) -> Dict[str, Any]:
    headers = {"content-type": "application/json"}
    if answer == "connection":
        return {"failure": "connection"}
    if answer == "truncated":
        return {"failure": "truncated", "status": 202, "headers": headers, "body": JOB}
    envelope = {"error": {"type": "api_error", "code": "x", "message": "m", "request_id": "req_1"}}
    types = {402: "insufficient_balance", 409: "idempotency_conflict"}
    envelope["error"]["type"] = types.get(answer, "api_error")
    return {"status": answer, "headers": headers, "body": JOB if answer < 300 else envelope}


@pytest.mark.parametrize("case", vectors("files")["cases"], ids=title)
def test_files(case: Dict[str, Any], caller: Any, tmp_path: Any) -> None:
    source = source_of(case["kind"], case["value"], tmp_path)
    with ScriptedServer([scripted(202)]) as server:

        def use(client: Any) -> Any:
            return client.images.create_edit(prompt="brighter", image=source)

        if case["error"] is None:
            caller.call(server.base_url, use)
        else:
            with pytest.raises(KinoraError) as raised:
                caller.call(server.base_url, use)
            assert facts_of(raised.value, case["error"]) == case["error"]
    sent = [json.loads(request.body)["image"] for request in server.requests]
    assert len(sent) == (0 if case["error"] else 1)
    if case["sent"] not in (None, "any"):
        assert sent == [case["sent"]]


def source_of(kind: str, value: Any, folder: Any) -> Any:
    path = folder / "source"
    if kind == "missing_path":
        return str(path)
    if kind == "folder":
        return str(folder)
    if kind in ("path_of_size", "bytes_of_size"):
        content = b"\x89PNG\r\n\x1a\n" + bytes(value - 8)
    elif kind in ("path", "bytes", "stream"):
        content = base64.b64decode(value)
    else:
        return value
    if kind.startswith("path"):
        path.write_bytes(content)
        return str(path)
    return io.BytesIO(content) if kind == "stream" else content


WAITING = vectors("waiting")


@pytest.mark.parametrize("case", WAITING["cases"], ids=title)
def test_waiting(case: Dict[str, Any], caller: Any) -> None:
    options = case["options"]
    if "abort_after_updates" in options:
        with ScriptedServer([exchange["answer"] for exchange in case["exchange"]]) as server:
            assert interrupted_wait(server, caller.name, case, WAITING["job_id"]) == case["updates"]
        assert_sent(server, case)
        return
    updates: list[Any] = []
    arguments: Dict[str, Any] = {"on_update": updates.append}
    if "timeout_seconds" in options:
        arguments["timeout"] = options["timeout_seconds"]
    with ScriptedServer([exchange["answer"] for exchange in case["exchange"]]) as server:
        result = caller.call(
            server.base_url,
            lambda client: outcome_of(client, WAITING["job_id"], arguments, case["result"]),
            max_retries=options.get("max_retries", 2),
        )
    assert result == case["result"]
    assert_sent(server, case)
    assert case["updates"] is None or updates == case["updates"]


def outcome_of(client: Any, job_id: str, arguments: Any, expected: Any) -> Any:
    """The outcome of a wait as a vector writes it; a coroutine where the client is asynchronous."""
    def failed(error: KinoraError) -> Dict[str, Any]:
        return {"error": facts_of(error, expected["error"])}

    if inspect.iscoroutinefunction(client.jobs.wait):

        async def wait() -> Any:
            try:
                return {"status": (await client.jobs.wait(job_id, **arguments))["status"]}
            except KinoraError as error:
                resumed = {"resumed": {"status": (await error.resume(timeout=30))["status"]}} if "resumed" in expected else {}
                return {**failed(error), **resumed}

        return wait()
    try:
        return {"status": client.jobs.wait(job_id, **arguments)["status"]}
    except KinoraError as error:
        resumed = {"resumed": {"status": error.resume(timeout=30)["status"]}} if "resumed" in expected else {}
        return {**failed(error), **resumed}


def assert_sent(server: ScriptedServer, case: Dict[str, Any]) -> None:
    for request, exchange in itertools.zip_longest(server.requests, case["exchange"]):
        assert request is not None, f"not sent: {exchange['request']}"
        assert exchange is not None, f"sent beyond the last: {request}"
        expected = exchange["request"]
        assert (request.method, request.path) == (expected["method"], expected["path"])
        for name, value in expected["headers"].items():
            sent = request.headers.get(name)
            assert (sent is not None) if value == "present" else sent in (value if isinstance(value, list) else [value])
