"""The signatures of receipts, as every client library checks them."""

from __future__ import annotations

from typing import Any, Dict

import pytest
from kinora import KinoraError
from scripted_server import ScriptedServer
from vectors import title, vectors

JSON = {"content-type": "application/json"}
RECEIPTS = vectors("receipts")


@pytest.mark.parametrize("case", RECEIPTS["cases"], ids=title)
def test_receipts(case: Dict[str, Any], caller: Any) -> None:
    receipt = {"object": "receipt", "job_id": RECEIPTS["job_id"], "jws": case["jws"]}

    def use(client: Any) -> Any:
        return client.receipts.verify(receipt, case["keys"])

    if case["valid"]:
        assert caller.call("http://127.0.0.1:1/v1", use) == RECEIPTS["payload"]
        return
    with pytest.raises(KinoraError) as raised:
        caller.call("http://127.0.0.1:1/v1", use)
    assert raised.value.code == "receipt_invalid"


@pytest.mark.parametrize("below", ["/v1", "/kinora/v1/", "", "/admin/v1/customer"])
def test_receipts_are_verified_with_published_keys(below: str, caller: Any) -> None:
    genuine = RECEIPTS["cases"][0]
    receipt = {"object": "receipt", "job_id": RECEIPTS["job_id"], "jws": genuine["jws"]}
    with ScriptedServer([{"status": 200, "headers": JSON, "body": genuine["keys"]}]) as server:
        caller.call(f"{server.base_url}{below}", lambda client: client.receipts.verify(receipt))
    (request,) = server.requests
    assert request.path == ("/kinora" if "kinora" in below else "") + "/.well-known/jwks.json"
    assert "authorization" not in request.headers
