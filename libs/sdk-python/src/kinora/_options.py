"""What a caller may set: for the client, and for one call."""

from __future__ import annotations

import logging
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple, TypedDict

from ._errors import KinoraError
from .types import ImageEditBody, ImageGenerationBody, Job, JobProgress, JobOutputImages, JobOutputVideo, VideoGenerationBody

if TYPE_CHECKING:
    import httpx
    from typing_extensions import ReadOnly
else:
    from ._typing import ReadOnly

DEFAULT_TIMEOUT_SECONDS = 60.0
DEFAULT_WAIT_SECONDS = 600.0
DEFAULT_MAX_RETRIES = 4


class RequestOptions(TypedDict, total=False):
    """The last arguments of every method."""

    idempotency_key: str
    """Of a creation; minted for each call where none is given."""
    timeout: float
    """Seconds of one attempt; of a call that waits for a job, seconds of the wait."""
    max_retries: int
    headers: Mapping[str, str]
    on_response: Callable[["httpx.Response"], object]
    """Gets the response of each attempt, with its status and headers."""


class CreateOptions(RequestOptions, total=False):
    quote: str
    """The id of a quote, whose price the job then has."""


class WaitOptions(RequestOptions, total=False):
    on_update: Callable[[JobProgress], object]
    """Called at each change of the progress; a coroutine function where the client is asynchronous."""
    cancel_on_abort: bool
    """Cancels the job if the wait is interrupted (KeyboardInterrupt, a cancelled task)."""


class ImageGenerationCreation(ImageGenerationBody, CreateOptions, total=False):
    """The fields of the request, and the options."""


class ImageGenerationRun(ImageGenerationCreation, WaitOptions, total=False):
    """The fields of the request, the options, and those of the wait."""


class ImageEditCreation(ImageEditBody, CreateOptions, total=False):
    """The fields of the request, and the options."""


class ImageEditRun(ImageEditCreation, WaitOptions, total=False):
    """The fields of the request, the options, and those of the wait."""


class VideoGenerationCreation(VideoGenerationBody, CreateOptions, total=False):
    """The fields of the request, and the options."""


class VideoGenerationRun(VideoGenerationCreation, WaitOptions, total=False):
    """The fields of the request, the options, and those of the wait."""


class ImageJob(Job):
    """A job that has succeeded, with images."""

    output: ReadOnly[JobOutputImages]


class VideoJob(Job):
    """A job that has succeeded, with a video."""

    output: ReadOnly[JobOutputVideo]


_OPTIONS = frozenset(
    ["idempotency_key", "timeout", "max_retries", "headers", "on_response", "quote", "on_update", "cancel_on_abort"]
)


def split(arguments: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The fields of the request, without those that are None, and the options."""
    fields = {name: value for name, value in arguments.items() if name not in _OPTIONS and value is not None}
    return fields, {name: value for name, value in arguments.items() if name in _OPTIONS and value is not None}


def refuse_unknown(options: Mapping[str, Any]) -> None:
    """Calls that send no fields would pass over a misspelt option."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"There is no option {name!r}. The options are {', '.join(sorted(_OPTIONS))}.")


class Settings(NamedTuple):
    """What every call of a client needs."""

    base_url: str
    headers: Dict[str, str]
    timeout: float
    max_retries: int
    logger: logging.Logger


def read_settings(
    api_key: Optional[str],
    base_url: Optional[str],
    headers: Optional[Mapping[str, str]],
    timeout: float,
    max_retries: int,
    logger: Optional[logging.Logger],
) -> Settings:
    """Fills in from the environment what was not given. A key in `headers` replaces that of the environment."""
    base = base_url or os.environ.get("KINORA_BASE_URL", "")
    if not base.startswith(("http://", "https://")):
        raise KinoraError("Give base_url, or set KINORA_BASE_URL: the address of the service, which ends in /v1.")
    own = {name.lower(): value for name, value in (headers or {}).items()}
    key = (api_key or os.environ.get("KINORA_API_KEY", "")).strip()
    if "authorization" not in own:
        if not key:
            raise KinoraError("Give api_key, or set KINORA_API_KEY.")
        # Without the key, which must not reach a log.
        if not re.fullmatch("[!-~]+", key):
            raise KinoraError("The API key has characters that no key has: copy it again, without quotes and spaces.")
        own["authorization"] = f"Bearer {key}"
    return Settings(
        base_url=base.rstrip("/"),
        headers={"accept": "application/json", "user-agent": "kinora-python/0.1.0", **own},
        timeout=timeout,
        max_retries=max_retries,
        logger=logger or logging.getLogger("kinora"),
    )
