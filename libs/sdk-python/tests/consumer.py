"""A program of a user, which only pyright reads: it must be clean in strict mode against the installed wheel."""

from __future__ import annotations

from typing import List

from kinora import AsyncKinora, JobFailedError, JobPendingError, Kinora
from kinora.types import Job, JobProgress, WebhookEvent


def blocking() -> List[str]:
    with Kinora(api_key="knr_test_x", base_url="http://127.0.0.1/v1", timeout=10) as kinora:
        job = kinora.images.generate(prompt="a lighthouse", n=2, idempotency_key="order-1", on_update=report)
        saved = kinora.download(job["output"]["images"][0], "lake.png")
        whole: bytes = kinora.download(job["output"]["images"][0])
        kept: Job = job
        ids = [each["id"] for each in kinora.jobs.list(status="succeeded")]
        ids += [model["id"] for model in kinora.models.list()]
        key = kinora.keys.create(name="ci", scope="read", timeout=5)
        event: WebhookEvent = kinora.webhooks.unwrap(whole, {}, ["whsec_a", "whsec_b"])
        return [*ids, saved["path"], kept["id"], key["api_key"], event["data"]["object"]["id"]]


async def asynchronous() -> float:
    async with AsyncKinora() as kinora:
        try:
            job = await kinora.videos.generate(image=b"", duration=8)
        except JobPendingError as pending:
            return float(len(pending.job_id))
        except JobFailedError as failed:
            return failed.job["usage"]["charged_usd"]
        async for found in kinora.jobs.list(limit=5):
            print(found["status"])
        usage = await kinora.usage.get(group_by="model")
        return (job["output"]["video"]["duration"] or 0) + usage["total"]["charged_usd"]


def report(progress: JobProgress) -> None:
    print(progress["status"], progress["queue_position"])
