"""Calls of the Python packages openai and litellm, each scenario against an account of its own: clients.py SCENARIO."""

import asyncio
import base64
import io
import os
import struct
import sys
import time
import zlib

# litellm otherwise loads its price list from the internet.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
import openai

API_KEY = os.environ["KINORA_API_KEY"]
BASE_URL = os.environ["KINORA_OPENAI_URL"]
CUT_CALLS = 50
THROUGH_LITELLM = {"api_key": API_KEY, "api_base": BASE_URL}


def client(**options) -> openai.OpenAI:
    return openai.OpenAI(api_key=API_KEY, base_url=BASE_URL, **options)


def size_of(b64_json: str) -> tuple[int, int]:
    content = base64.b64decode(b64_json)
    assert content.startswith(b"\x89PNG"), content[:8]
    return struct.unpack(">II", content[16:24])


def png(side: int) -> io.BytesIO:
    """A picture of one colour, named as a file is."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\x00" + b"\x50\x78\xa0" * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    file = io.BytesIO(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    file.name = "picture.png"
    return file


def refused(kind: type, call) -> openai.APIStatusError:
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"The call was not refused with {kind.__name__}.")


def openai_generates() -> None:
    names = [model.id for model in client().models.list()]
    assert {"general-image", "gpt-image-1"} <= set(names), names
    assert client().models.retrieve("gpt-image-1").id == "gpt-image-1"
    raw = client().images.with_raw_response.generate(
        model="gpt-image-2-2026-04-21", prompt="hills", n=2, size="1536x1024", safety_identifier="one", complexity="low"
    )
    assert [size_of(image.b64_json) for image in raw.parse().data] == [(1216, 832)] * 2
    assert raw.headers["x-kinora-ignored"] == "safety_identifier, complexity", raw.headers
    assert raw.headers["x-kinora-charged-usd"] == "0.04", raw.headers
    by_url = client().images.generate(model="fast-image", prompt="hills", response_format="url").data[0]
    assert by_url.url and by_url.b64_json is None
    # DallEAPIWrapper of LangChain reads the address, and does not ask for one.
    assert client().images.generate(model="dall-e-3", prompt="hills").data[0].url


def openai_generates_asynchronously() -> None:
    async def calls() -> None:
        async with openai.AsyncOpenAI(api_key=API_KEY, base_url=BASE_URL) as asynchronous:
            made = [asynchronous.images.generate(model="fast-image", prompt="the same") for _ in range(2)]
            assert [len(answer.data) for answer in await asyncio.gather(*made)] == [1, 1]

    asyncio.run(calls())


def openai_streams() -> None:
    events = list(client().images.generate(model="fast-image", prompt="hills", stream=True))
    assert [event.type for event in events] == ["image_generation.completed"], events
    assert size_of(events[0].b64_json) == (512, 512)


def openai_reports_errors() -> None:
    def generate(prompt: str = "x", **fields):
        return lambda: client().images.generate(**{"model": "fast-image", "prompt": prompt, **fields})

    blocked = refused(openai.BadRequestError, generate("KINORA-MODERATION-TEST-BLOCK"))
    assert blocked.code == "moderation_blocked", blocked
    assert refused(openai.BadRequestError, generate(n=99)).param == "n"
    assert refused(openai.NotFoundError, generate(model="none")).code == "model_not_found"
    # The account then has one failed job: the client does not repeat the call.
    assert refused(openai.InternalServerError, generate("[[fail:error]]")).code == "provider_error"
    unknown = openai.OpenAI(api_key="knr_live_none", base_url=BASE_URL)
    refused(openai.AuthenticationError, lambda: list(unknown.models.list()))


def openai_repeats_after_timeouts() -> None:
    patient = client(timeout=1.5, max_retries=10)
    answer = patient.images.generate(model="general-image", prompt="[[delay:3s]] dunes", size="512x512")
    assert size_of(answer.data[0].b64_json) == (512, 512)


def openai_repeats_after_cuts() -> None:
    async def calls() -> None:
        async with openai.AsyncOpenAI(api_key=API_KEY, base_url=BASE_URL, max_retries=5) as asynchronous:
            made = [asynchronous.images.generate(model="fast-image", prompt=f"boat {place}") for place in range(CUT_CALLS)]
            answers = await asyncio.gather(*made)
            assert len({answer.data[0].b64_json for answer in answers}) == CUT_CALLS

    asyncio.run(calls())


def openai_edits() -> None:
    one = client().images.edit(model="chatgpt-image-latest", image=png(256), prompt="warmer")
    several = client().images.edit(model="image-edit", image=[png(256), png(320)], prompt="warmer", n=1)
    for answer in (one, several):
        assert size_of(answer.data[0].b64_json)[0] > 0
    masked = refused(openai.BadRequestError, lambda: client().images.edit(image=png(256), mask=png(256), prompt="x"))
    assert masked.param == "mask", masked


def openai_makes_videos() -> None:
    videos = client().videos
    made = videos.create(model="sora-2-2025-12-08", prompt="a slow pan", seconds="5", input_reference=png(512))
    while made.status in ("queued", "in_progress"):
        time.sleep(0.5)
        made = videos.retrieve(made.id)
    assert made.status == "completed", made
    content = videos.download_content(made.id).read()
    assert content[4:8] == b"ftyp", content[:12]
    assert made.id in [video.id for video in videos.list()]
    assert videos.delete(made.id).deleted
    refused(openai.NotFoundError, lambda: videos.retrieve(made.id))
    assert list(videos.list()) == []
    refused(openai.BadRequestError, lambda: videos.create(prompt="x", seconds="5"))


def litellm_generates() -> None:
    answer = litellm.image_generation(model="openai/gpt-image-1", prompt="hills", size="1024x1024", **THROUGH_LITELLM)
    assert size_of(answer.data[0].b64_json) == (1024, 1024)
    # litellm refuses a response_format. The answer for this model has URLs without one.
    by_url = litellm.image_generation(model="openai/dall-e-3", prompt="hills", **THROUGH_LITELLM)
    assert by_url.data[0].url
    asynchronous = litellm.aimage_generation(model="openai/fast-image", prompt="hills", **THROUGH_LITELLM)
    assert len(asyncio.run(asynchronous).data) == 1


def litellm_reports_errors() -> None:
    def generate(prompt: str, model: str = "openai/fast-image"):
        return lambda: litellm.image_generation(model=model, prompt=prompt, **THROUGH_LITELLM)

    refused(litellm.BadRequestError, generate("KINORA-MODERATION-TEST-BLOCK"))
    refused(litellm.NotFoundError, generate("x", "openai/none"))


def litellm_repeats_after_cuts() -> None:
    for place in range(5):
        answer = litellm.image_generation(
            model="openai/fast-image", prompt=f"boat {place}", max_retries=5, **THROUGH_LITELLM
        )
        assert size_of(answer.data[0].b64_json) == (512, 512)


def litellm_edits() -> None:
    answer = litellm.image_edit(model="openai/gpt-image-1", image=[png(256)], prompt="warmer", **THROUGH_LITELLM)
    assert size_of(answer.data[0].b64_json)[0] > 0


def litellm_makes_videos() -> None:
    made = litellm.video_generation(
        model="openai/sora-2", prompt="a slow pan", seconds="5", input_reference=png(512), **THROUGH_LITELLM
    )
    while made.status in ("queued", "in_progress"):
        time.sleep(0.5)
        made = litellm.video_status(made.id, **THROUGH_LITELLM)
    assert made.status == "completed", made
    content = litellm.video_content(made.id, **THROUGH_LITELLM)
    assert content[4:8] == b"ftyp", content[:12]
    listed = litellm.video_list(**THROUGH_LITELLM)
    assert [video["status"] for video in listed["data"]] == ["completed"]


if __name__ == "__main__":
    globals()[sys.argv[1]]()
