"""Resume after a crash: the handle of a job is stored before it is paid, so a new process goes on with the same job.

Usage: python resume_after_crash.py handle.json lighthouse.png
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import uuid
from typing import Dict

from kinora import Kinora


def read(store: pathlib.Path) -> Dict[str, str]:
    return json.loads(store.read_text()) if store.exists() else {}


def write(store: pathlib.Path, handle: Dict[str, str]) -> None:
    """Replaces the file as a whole: a crash leaves the old one or the new one."""
    temporary = store.with_suffix(".new")
    temporary.write_text(json.dumps(handle))
    os.replace(temporary, store)


def main(store: pathlib.Path, target: str) -> None:
    handle = read(store)
    if not handle:
        handle = {"idempotency_key": str(uuid.uuid4())}
        write(store, handle)
    with Kinora() as kinora:
        if "job_id" not in handle:
            # The same key gives the same job, if the process that died had created it already.
            job = kinora.images.create(
                prompt="a lighthouse on a rocky coast in a storm", idempotency_key=handle["idempotency_key"]
            )
            handle["job_id"] = job["id"]
            write(store, handle)
        ended = kinora.jobs.wait(handle["job_id"])
        output = ended["output"]
        if output is not None and "images" in output:
            print(kinora.download(output["images"][0], target)["path"], handle["job_id"])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
