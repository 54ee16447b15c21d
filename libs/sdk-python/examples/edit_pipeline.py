"""An edit pipeline: an image, two edits of it one after the other, and a video of the last one.

Usage: python edit_pipeline.py folder
"""

from __future__ import annotations

import os
import sys

from kinora import Kinora

EDITS = ["make it night", "add a white border"]


def main(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    with Kinora() as kinora:
        job = kinora.images.generate(prompt="a lighthouse on a rocky coast", size="512x512")
        path = os.path.join(folder, "0.png")
        kinora.download(job["output"]["images"][0], path)
        for step, prompt in enumerate(EDITS, start=1):
            job = kinora.images.edit(prompt=prompt, image=path)
            path = os.path.join(folder, f"{step}.png")
            kinora.download(job["output"]["images"][0], path)
            print(path, flush=True)
        video = kinora.videos.generate(prompt="a slow pan to the left", image=path, duration=5)
        print(kinora.download(video["output"]["video"], os.path.join(folder, "video.mp4"))["path"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pipeline")
