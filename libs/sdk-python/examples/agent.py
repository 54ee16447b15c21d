"""Tools for an agent: a bounded budget, short calls, and the id of the job before its result.

A model calls the tools by name with JSON arguments; here a script of calls stands in for the model.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any, Callable, Dict, List

from kinora import JobFailedError, JobPendingError, Kinora, KinoraError

# Clients of agents cut off calls after some seconds, so no tool waits longer.
WAIT_SECONDS = 20.0


class Tools:
    def __init__(self, kinora: Kinora, budget_micros: int) -> None:
        self._kinora = kinora
        self._left_micros = budget_micros
        self.by_name: Dict[str, Callable[..., Dict[str, Any]]] = {
            "create_image": self.create_image,
            "wait_for_job": self.wait_for_job,
        }

    def create_image(self, prompt: str) -> Dict[str, Any]:
        """Starts an image and gives the id of its job at once."""
        quote = self._kinora.quotes.create(operation="images.generations", request={"prompt": prompt})
        price = quote["price"]
        if price is None or quote["id"] is None or not quote["would_be_accepted"]:
            return {"error": quote["refusals"]}
        if price["micros"] > self._left_micros:
            return {"error": f"The image costs {usd(price['micros'])} USD, and {usd(self._left_micros)} USD are left."}
        job = self._kinora.images.create(prompt=prompt, quote=quote["id"])
        self._left_micros -= price["micros"]
        return {"job_id": job["id"], "next": "wait_for_job"}

    def wait_for_job(self, job_id: str) -> Dict[str, Any]:
        """Waits for a while. A link instead of the bytes of an image keeps the context of the model small."""
        try:
            output = self._kinora.jobs.wait(job_id, timeout=WAIT_SECONDS)["output"]
        except JobPendingError:
            return {"job_id": job_id, "status": "in flight", "next": "wait_for_job"}
        except JobFailedError as error:
            return {"job_id": job_id, "error": error.code}
        assert output is not None and "images" in output
        return {"job_id": job_id, "link": output["images"][0]["url"]}

    def call(self, name: str, arguments: Dict[str, Any]) -> Dict[str, Any]:
        try:
            return self.by_name[name](**arguments)
        except KinoraError as error:
            return {"error": error.code, "message": error.message}


def usd(micros: int) -> Decimal:
    """Every digit of the amount. Money is counted in micro-dollars, because sums of floats are not exact."""
    return Decimal(micros) / 1_000_000


def main(prompts: List[str]) -> None:
    with Kinora() as kinora:
        tools = Tools(kinora, budget_micros=50_000)
        for prompt in prompts:
            answer = tools.call("create_image", {"prompt": prompt})
            while answer.get("next") == "wait_for_job":
                answer = tools.call("wait_for_job", {"job_id": answer["job_id"]})
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["a lighthouse at dawn", "a lighthouse at noon", "a lighthouse at night"])
