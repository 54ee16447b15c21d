"""A batch of a hundred images, a few at a time, with a progress bar.

Usage: python batch.py folder [how many] [how many at a time]
"""

from __future__ import annotations

import asyncio
import os
import sys

from kinora import AsyncKinora, JobFailedError


def draw(done: int, failed: int, total: int) -> None:
    filled = 40 * done // total
    bar = "#" * filled + "." * (40 - filled)
    print(f"\r[{bar}] {done}/{total}, {failed} failed", end="" if done < total else "\n", flush=True)


async def main(folder: str, total: int, at_a_time: int) -> None:
    os.makedirs(folder, exist_ok=True)
    slots = asyncio.Semaphore(at_a_time)
    done = failed = 0

    async with AsyncKinora() as kinora:

        async def make(index: int) -> None:
            nonlocal done, failed
            async with slots:
                try:
                    job = await kinora.images.generate(prompt="a lighthouse", model="fast-image", seed=index)
                    await kinora.download(job["output"]["images"][0], os.path.join(folder, f"{index:03}.png"))
                except JobFailedError:
                    failed += 1
            done += 1
            draw(done, failed, total)

        await asyncio.gather(*(make(index) for index in range(total)))


if __name__ == "__main__":
    folder, total, at_a_time = [*sys.argv[1:], *["images", "100", "8"][len(sys.argv) - 1 :]]
    asyncio.run(main(folder, int(total), int(at_a_time)))
