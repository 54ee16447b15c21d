"""The content credentials of outputs, as the C2PA project's own library reads them."""

from __future__ import annotations

import base64
import io
import json
from typing import Any, Dict, List

import c2pa
import pytest
from kinora import Kinora

SOURCE_TYPES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
IMAGES = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


def read(file: bytes, mime: str) -> Dict[str, Any]:
    return json.loads(c2pa.Reader(mime, io.BytesIO(file)).json())


def actions_of(store: Dict[str, Any]) -> List[Dict[str, Any]]:
    assertions = store["manifests"][store["active_manifest"]]["assertions"]
    return [action for one in assertions if one["label"].startswith("c2pa.actions") for action in one["data"]["actions"]]


def assert_valid(store: Dict[str, Any]) -> None:
    assert store["validation_state"] == "Valid"
    # A local stack has a root of its own, which nobody else trusts.
    assert [status["code"] for status in store["validation_status"]] == ["signingCredential.untrusted"]


def draw(client: Kinora, output_format: str, model: str = "general-image") -> bytes:
    job = client.images.generate(prompt="a lighthouse", output_format=output_format, model=model)
    return client.download(job["output"]["images"][0])


# The models at backends are called by the type of their adapter; the first is the sandbox's.
@pytest.mark.parametrize("model", ["general-image", "comfyui", "openai-images", "fal", "replicate"])
@pytest.mark.parametrize("output_format", list(IMAGES))
def test_images(client: Kinora, model: str, output_format: str) -> None:
    mime = IMAGES[output_format]
    file = draw(client, output_format, model)
    store = read(file, mime)
    assert_valid(store)
    [action] = actions_of(store)
    source_type = SOURCE_TYPES + ("algorithmicMedia" if model == "general-image" else "trainedAlgorithmicMedia")
    assert (action["action"], action["digitalSourceType"]) == ("c2pa.created", source_type)
    changed = bytearray(file)
    changed[-60] ^= 1
    assert read(bytes(changed), mime)["validation_state"] == "Invalid"


def test_inputs_become_ingredients(client: Kinora) -> None:
    image = "data:image/png;base64," + base64.b64encode(draw(client, "png")).decode()
    edited = client.images.edit(prompt="make it grayscale", image=image)
    video = client.videos.generate(prompt="pan to the left", image=image, duration=5)
    outputs = [
        (edited["output"]["images"][0], "image/png", ["c2pa.opened", "c2pa.edited"], "parentOf"),
        (video["output"]["video"], "video/mp4", ["c2pa.created"], "inputTo"),
    ]
    for output, mime, actions, relationship in outputs:
        store = read(client.download(output), mime)
        assert_valid(store)
        assert [action["action"] for action in actions_of(store)] == actions
        [ingredient] = store["manifests"][store["active_manifest"]]["ingredients"]
        assert ingredient["relationship"] == relationship
        assert ingredient["active_manifest"] in store["manifests"]
