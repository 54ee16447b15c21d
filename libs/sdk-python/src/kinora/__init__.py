"""The Python client of Kinora: images and videos from prompts, paid once whatever the network does."""

from . import types
from ._async_client import AsyncKinora
from ._client import Kinora
from ._downloads import DownloadedFile
from ._errors import (
    APIError,
    AuthenticationError,
    CapacityError,
    ConnectionError,
    ContentBlockedError,
    IdempotencyConflictError,
    InsufficientBalanceError,
    InvalidRequestError,
    JobFailedError,
    JobPendingError,
    KinoraError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    WebhookVerificationError,
)
from ._options import ImageJob, RequestOptions, VideoJob
from ._pages import AsyncPages, Pages
from ._streams import FeedEvent, StreamedEvent
from ._typing import FileSource
from ._webhooks import unwrap_webhook

__version__ = "0.1.0"

__all__ = [
    "APIError",
    "AsyncKinora",
    "AsyncPages",
    "AuthenticationError",
    "CapacityError",
    "ConnectionError",
    "ContentBlockedError",
    "DownloadedFile",
    "FeedEvent",
    "FileSource",
    "IdempotencyConflictError",
    "ImageJob",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "JobFailedError",
    "JobPendingError",
    "Kinora",
    "KinoraError",
    "NotFoundError",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "StreamedEvent",
    "VideoJob",
    "WebhookVerificationError",
    "types",
    "unwrap_webhook",
]
