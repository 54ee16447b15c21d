"""The asynchronous client."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Optional, Type, Union, overload

import httpx

from . import _async_administration as administration
from . import _operations as operations
from . import _async_resources as groups
from ._async_driver import AsyncDriver
from ._calls import Operation
from ._downloads import DownloadedFile, Output, Path, download
from ._options import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_SECONDS, RequestOptions, read_settings
from .types import Ping

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncKinora:
    """A client of the API for asyncio. A creation is repeated with one idempotency key, so it is paid once."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        logger: Optional[logging.Logger] = None,
    ) -> None:
        settings = read_settings(api_key, base_url, headers, timeout, max_retries, logger)
        # Each wait holds a connection, so the pool has no limit of its own.
        self._http = http_client or httpx.AsyncClient(limits=httpx.Limits(max_connections=None))
        self._owns_http = http_client is None
        self._core = groups.Core(AsyncDriver(self._http), settings)
        self.images = groups.AsyncImages(self._core)
        self.videos = groups.AsyncVideos(self._core)
        self.jobs = groups.AsyncJobs(self._core)
        self.receipts = groups.AsyncReceipts(self._core)
        self.models = groups.AsyncModels(self._core)
        self.loras = groups.AsyncLoras(self._core)
        self.account = groups.AsyncAccountGroup(self._core)
        self.usage = groups.AsyncUsageGroup(self._core)
        self.quotes = groups.AsyncQuotes(self._core)
        self.provenance = groups.AsyncProvenance(self._core)
        self.events = groups.AsyncEvents(self._core)
        self.keys = administration.AsyncKeys(self._core)
        self.deliveries = administration.AsyncDeliveries(self._core)
        self.webhooks = administration.AsyncWebhooks(self._core)

    @overload
    async def download(
        self, output: Output, path: None = None, *, sha256: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> bytes: ...

    @overload
    async def download(
        self, output: Output, path: Path, *, sha256: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> DownloadedFile: ...

    async def download(
        self,
        output: Output,
        path: Optional[Path] = None,
        *,
        sha256: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Union[bytes, DownloadedFile]:
        """Saves an output, or gives its bytes where no path is given. Its length is checked, and its hash if given."""
        flow = download(self._core.settings, output, path, sha256, options)
        return await self._core.driver.run(flow)

    async def ping(self, **options: Unpack[RequestOptions]) -> Ping:
        """Whether the service answers, and its version."""
        return await self._core.call(operations.GET_PING, options)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        repeatable: bool = True,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Any other operation of the API. Say `repeatable=False` where a second run would take effect again."""
        operation = Operation(method, path, query or {}, body, "idempotency_key" in options, repeatable)
        return await self._core.call(operation, options)

    async def close(self) -> None:
        """Closes the connections; not those of an own `http_client`."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncKinora:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()
