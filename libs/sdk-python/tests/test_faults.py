"""Calls through a network that breaks: as many jobs as calls, and a balance that is exact."""

from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List

from faulty_proxy import FAULTS, FaultyProxy
from kinora import AsyncKinora, JobPendingError, Kinora, KinoraError

# Of each client. With two requests or more a call, each fault occurs about six times.
CALLS = 30
SHARE = 0.4


def request_of(run: str, index: int) -> Dict[str, Any]:
    model = "general-image" if index % 5 == 0 else "fast-image"
    return {"prompt": "a lighthouse", "model": model, "size": "512x512", "metadata": {"run": run, "call": str(index)}}


def test_calls_through_faults_are_paid_once(stack: Dict[str, Any]) -> None:
    account = stack["accounts"]["faults"]
    with Kinora(account["api_key"], stack["base_url"]) as direct:
        before = direct.account.get()["balance_micros"]
        known = {job["id"] for job in direct.jobs.list(limit=100)}
        with FaultyProxy(stack["base_url"], SHARE) as proxy:
            ended = run_blocking(account["api_key"], proxy.base_url)
            ended += asyncio.run(run_asynchronous(account["api_key"], proxy.base_url))
        jobs = [job for job in direct.jobs.list(limit=100) if job["id"] not in known]
        assert sorted(job["id"] for job in jobs) == sorted(job["id"] for job in ended)
        calls = {(job.get("metadata") or {})["run"] + (job.get("metadata") or {})["call"] for job in jobs}
        assert len(calls) == len(jobs) == 2 * CALLS
        charged = sum(job["usage"]["charged_micros"] for job in jobs)
        assert direct.account.get()["balance_micros"] == before - charged
    assert all(proxy.counts.get(fault, 0) > 0 for fault in FAULTS)


def run_blocking(api_key: str, base_url: str) -> List[Any]:
    with Kinora(api_key, base_url) as client, ThreadPoolExecutor(12) as pool:
        return list(pool.map(lambda index: generate(client, request_of("sync", index)), range(CALLS)))


def generate(client: Kinora, request: Dict[str, Any]) -> Any:
    """As a careful program does: after an error, it goes on with the handle that the error carries."""
    options: Dict[str, Any] = {}
    while True:
        try:
            return client.images.generate(**request, **options)
        except JobPendingError as pending:
            return client.jobs.wait(pending.job_id, max_retries=20)
        except KinoraError as error:
            assert error.idempotency_key is not None
            options = {"idempotency_key": error.idempotency_key}


async def run_asynchronous(api_key: str, base_url: str) -> List[Any]:
    slots = asyncio.Semaphore(12)
    async with AsyncKinora(api_key, base_url) as client:

        async def generate_one(index: int) -> Any:
            options: Dict[str, Any] = {}
            async with slots:
                while True:
                    try:
                        return await client.images.generate(**request_of("async", index), **options)
                    except JobPendingError as pending:
                        return await client.jobs.wait(pending.job_id, max_retries=20)
                    except KinoraError as error:
                        assert error.idempotency_key is not None
                        options = {"idempotency_key": error.idempotency_key}

        return await asyncio.gather(*(generate_one(index) for index in range(CALLS)))


def test_downloads_through_faults_are_whole(stack: Dict[str, Any], client: Kinora, caller: Any, tmp_path: Any) -> None:
    job = client.images.generate(prompt="a harbour", model="fast-image", size="512x512")
    whole = client.download(job["output"]["images"][0])
    with FaultyProxy(stack["base_url"], SHARE, seed=7) as proxy:
        link = (job["output"]["images"][0]["url"] or "").replace(stack["base_url"].rpartition("/")[0], proxy.origin)
        output = {**job["output"]["images"][0], "url": link}
        for index in range(20):
            target = tmp_path / f"{index}.png"
            saved = caller.call(stack["base_url"], lambda one, to=target: one.download(output, to, max_retries=20))
            assert target.read_bytes() == whole
            assert (saved["bytes"], saved["sha256"]) == (len(whole), hashlib.sha256(whole).hexdigest())
    assert sorted(tmp_path.iterdir()) == sorted(tmp_path / f"{index}.png" for index in range(20))
    assert proxy.counts["truncated"] > 0
