"""What a developer gets wrong, and what the client says about it."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import pytest
from kinora import AsyncKinora, ConnectionError, InvalidRequestError, Kinora, KinoraError, NotFoundError
from scripted_server import ScriptedServer

HTML = {"content-type": "text/html"}
PAGE = "<html></html>"


def refused(caller: Any, answers: List[Dict[str, Any]], use: Callable[[Any], Any], **settings: Any) -> Any:
    """The error, and how many requests were sent."""
    with ScriptedServer(answers) as server:
        with pytest.raises(Exception) as raised:
            caller.call(f"{server.base_url}", use, **{"max_retries": 0, **settings})
    return raised.value, len(server.requests)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"status": 200, "headers": HTML, "text": PAGE}, "the answer is text/html and no JSON. base_url ends in /v1"),
        ({"status": 404, "headers": HTML, "text": PAGE}, "base_url ends in /v1"),
        ({"status": 308, "headers": {"location": "https://b.example/v1?k=s"}}, "redirects to https://b.example, which"),
        ({"failure": "connection"}, "no complete answer: Server disconnected"),
    ],
)
def test_another_server(answer: Dict[str, Any], message: str, caller: Any) -> None:
    error, _ = refused(caller, [answer], lambda one: one.account.get())
    assert isinstance(error, KinoraError)
    assert message in str(error)
    assert "k=s" not in str(error)


def test_a_link_that_has_expired(caller: Any) -> None:
    body = {"error": {"type": "not_found", "code": "not_found", "message": "The link has expired.", "request_id": "req_1"}}
    for answer, message in (({"body": body}, "The link has expired."), ({"text": "<Error/>"}, "not one of the service")):
        with ScriptedServer([{"status": 404, "headers": {}, **answer}]) as server:
            link = f"{server.base_url}/files/1"
            with pytest.raises(NotFoundError) as raised:
                caller.call(server.base_url, lambda one, link=link: one.download(link))
        assert message in str(raised.value)
        assert "base_url" not in str(raised.value)


def test_a_server_that_is_not_there(caller: Any) -> None:
    with pytest.raises(ConnectionError) as raised:
        caller.call("http://127.0.0.1:1/v1", lambda one: one.account.get(), max_retries=0)
    assert "refused" in str(raised.value) or "failed" in str(raised.value)


@pytest.mark.parametrize("client", [Kinora, AsyncKinora])
def test_settings(client: Any) -> None:
    for settings in ({"base_url": "127.0.0.1/v1"}, {"api_key": "knr_ü"}, {"api_key": "'knr x'"}):
        with pytest.raises(KinoraError) as raised:
            client(**{"api_key": "knr_test_x", "base_url": "http://127.0.0.1/v1", **settings})
        assert settings.get("api_key", "-") not in str(raised.value)


def test_a_key_with_a_line_end_is_that_key(caller: Any) -> None:
    with ScriptedServer([{"status": 200, "body": {}}]) as server:
        caller.call(server.base_url, lambda one: one.account.get(), api_key="knr_test_x\n")
    assert server.requests[0].headers["authorization"] == "Bearer knr_test_x"


@pytest.mark.parametrize(
    ("param", "use"),
    [
        ("id", lambda one: one.jobs.get("")),
        ("id", lambda one: one.jobs.cancel(None)),
        ("id", lambda one: one.keys.revoke("")),
        ("id", lambda one: one.jobs.wait("")),
        ("Idempotency-Key", lambda one: one.images.create(prompt="a", idempotency_key="")),
        ("Idempotency-Key", lambda one: one.images.generate(prompt="a", idempotency_key="ü")),
        ("output", lambda one: one.download(None, "none.png")),
        ("output", lambda one: one.download({"id": "x"})),
    ],
)
def test_a_wrong_argument_is_refused_before_a_request(param: str, use: Callable[[Any], Any], caller: Any) -> None:
    error, sent = refused(caller, [], use)
    assert (type(error), error.param, sent) == (InvalidRequestError, param, 0)


@pytest.mark.parametrize(
    "use",
    [
        lambda one: one.account.get(retries=1),
        lambda one: one.jobs.wait("x", timeoutt=1),
        lambda one: one.download("http://127.0.0.1:1/x", shaa256="0"),
    ],
)
def test_a_misspelt_option_is_named(use: Callable[[Any], Any], caller: Any) -> None:
    error, sent = refused(caller, [], use)
    assert (type(error), sent) == (TypeError, 0)
    assert "There is no option '" in str(error)
