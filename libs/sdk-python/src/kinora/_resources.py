# Generated from _async_resources.py by `npm run generate -- python`: do not edit.
"""The operations of the blocking client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Union

from . import _operations as operations
from ._calls import Operation, Options, call
from ._downloads import DownloadedFile, Path, download_job
from ._driver import Driver
from ._flow import Flow
from ._operations import creation
from ._options import (
    ImageEditCreation,
    ImageEditRun,
    ImageGenerationCreation,
    ImageGenerationRun,
    ImageJob,
    RequestOptions,
    Settings,
    VideoGenerationCreation,
    VideoGenerationRun,
    VideoJob,
    WaitOptions,
)
from ._pages import Pages
from ._receipts import KeySet, verify
from ._streams import FeedEvent, StreamedEvent
from ._waiting import create_and_wait, follow_account, follow_job, wait
from .types import Account, Appeal, Job, JobProgress, Lora, Model, ProvenanceCheck, Quote, Receipt, ReceiptPayload, StatementEntry, Usage, WebhookEvent

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import OperationName


class Core:
    """What every group of operations shares."""

    def __init__(self, driver: Driver, settings: Settings) -> None:
        self.driver = driver
        self.settings = settings

    def call(self, operation: Operation, options: Options) -> Any:
        return self.driver.run(call(self.settings, operation, options))

    def list(self, operation: Operation, options: Options) -> Pages[Any]:
        return Pages(self.driver, self.settings, operation, options)

    def resume(self, job_id: str, key: Optional[str], options: Options) -> Any:
        return self.driver.run(wait(self.settings, job_id, options, key, self.resume))

    def create(self, path: str, arguments: Mapping[str, Any]) -> Any:
        def flow() -> Flow[Any]:
            operation, options = yield from creation(path, arguments)
            return (yield from call(self.settings, operation, options))

        return self.driver.run(flow())

    def generate(self, path: str, arguments: Mapping[str, Any]) -> Any:
        def flow() -> Flow[Any]:
            operation, options = yield from creation(path, arguments)
            return (yield from create_and_wait(self.settings, operation, options, self.resume))

        return self.driver.run(flow())


class Group:
    def __init__(self, core: Core) -> None:
        self._core = core


class Images(Group):
    def generate(self, **request: Unpack[ImageGenerationRun]) -> ImageJob:
        """Creates images from a prompt, waits for them, and gives the ended job. @raises JobFailedError, JobPendingError"""
        return self._core.generate("/images/generations", request)

    def create(self, **request: Unpack[ImageGenerationCreation]) -> Job:
        """Creates a job, and does not wait for its images."""
        return self._core.create("/images/generations", request)

    def edit(self, **request: Unpack[ImageEditRun]) -> ImageJob:
        """Edits images, waits, and gives the ended job. @raises JobFailedError, JobPendingError"""
        return self._core.generate("/images/edits", request)

    def create_edit(self, **request: Unpack[ImageEditCreation]) -> Job:
        """Creates a job, and does not wait for the edited image."""
        return self._core.create("/images/edits", request)


class Videos(Group):
    def generate(self, **request: Unpack[VideoGenerationRun]) -> VideoJob:
        """Creates a video from an image, waits for it, and gives the ended job. @raises JobFailedError, JobPendingError"""
        return self._core.generate("/videos/generations", request)

    def create(self, **request: Unpack[VideoGenerationCreation]) -> Job:
        """Creates a job, and does not wait for its video."""
        return self._core.create("/videos/generations", request)


class Jobs(Group):
    def get(self, job_id: str, **options: Unpack[RequestOptions]) -> Job:
        """A job, with links that have just been signed."""
        return self._core.call(operations.job(job_id), options)

    def list(
        self,
        *,
        status: Optional[str] = None,
        model: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Pages[Job]:
        """The jobs of the account, newest first."""
        query = {"status": status, "model": model, "limit": limit, "cursor": cursor}
        return self._core.list(operations.listing("/jobs", **query), options)

    def wait(self, job_id: str, **options: Unpack[WaitOptions]) -> Job:
        """Gives the job back when it has succeeded. @raises JobFailedError, JobPendingError"""
        return self._core.resume(job_id, None, options)

    def cancel(self, job_id: str, **options: Unpack[RequestOptions]) -> Job:
        """Cancels a job and refunds it. An ended job is given back as it is."""
        return self._core.call(operations.cancel(job_id), options)

    def appeal(self, job_id: str, *, text: str, **options: Unpack[RequestOptions]) -> Appeal:
        """Asks an operator to look at a block again. A job has one appeal: a repeat gives it back."""
        return self._core.call(operations.appeal(job_id, text), options)

    def events(
        self, job_id: str, *, last_event_id: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> Iterator[StreamedEvent]:
        """The progress of a job as it changes, and at last the ended job."""
        return self._core.driver.iterate(follow_job(self._core.settings, job_id, last_event_id, options))

    def progress(self, job_id: str, **options: Unpack[RequestOptions]) -> JobProgress:
        """How far a job is."""
        return self._core.call(operations.job(job_id, "/progress"), options)

    def receipt(self, job_id: str, **options: Unpack[RequestOptions]) -> Receipt:
        """The signed receipt of an ended job."""
        return self._core.call(operations.job(job_id, "/receipt"), options)

    def delete_outputs(self, job_id: str, **options: Unpack[RequestOptions]) -> Job:
        """Deletes the files of an ended job."""
        return self._core.call(operations.delete(job_id, "outputs"), options)

    def delete_content(self, job_id: str, **options: Unpack[RequestOptions]) -> Job:
        """Deletes the files, the input images and the texts of an ended job."""
        return self._core.call(operations.delete(job_id, "content"), options)

    def download(self, job: Union[Job, str], folder: Path, **options: Unpack[RequestOptions]) -> List[DownloadedFile]:
        """Saves every output of a job, checked against the hashes of its receipt."""
        return self._core.driver.run(download_job(self._core.settings, job, folder, options))


class Receipts(Group):
    def verify(
        self, receipt: Receipt, keys: Optional[KeySet] = None, **options: Unpack[RequestOptions]
    ) -> ReceiptPayload:
        """What the service has signed. Without `keys`, its key set is read. @raises KinoraError `receipt_invalid`"""
        return self._core.driver.run(verify(self._core.settings, receipt, keys, options))


class Models(Group):
    def list(self, **options: Unpack[RequestOptions]) -> Pages[Model]:
        """The models, with capabilities and prices."""
        return self._core.list(operations.LIST_MODELS, options)


class Loras(Group):
    def list(self, *, model: Optional[str] = None, **options: Unpack[RequestOptions]) -> Pages[Lora]:
        """The LoRAs of the catalog, or those that a model accepts."""
        return self._core.list(operations.listing("/loras", model=model), options)


class AccountGroup(Group):
    def get(self, **options: Unpack[RequestOptions]) -> Account:
        """Balance and limits of the account."""
        return self._core.call(operations.GET_ACCOUNT, options)

    def statement(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> Pages[StatementEntry]:
        """Every movement of the account's money, newest first."""
        return self._core.list(operations.listing("/account/statement", limit=limit, cursor=cursor), options)


class UsageGroup(Group):
    def get(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        group_by: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Usage:
        """Sums over the jobs of a period, by day or by model."""
        query = {"from": from_, "to": to, "group_by": group_by}
        return self._core.call(operations.listing("/usage", **query), options)


class Quotes(Group):
    def create(
        self, *, operation: OperationName, request: Mapping[str, Any], **options: Unpack[RequestOptions]
    ) -> Quote:
        """The price of a request. Given to a creation as `quote`, its id holds the price for ten minutes."""
        return self._core.call(operations.quote(operation, request), options)


class Provenance(Group):
    def check(self, image: Any, **options: Unpack[RequestOptions]) -> ProvenanceCheck:
        """What is known about the origin of an image: its credential, and whether this service has made it."""

        def flow() -> Flow[Any]:
            operation = yield from operations.provenance_check(image)
            return (yield from call(self._core.settings, operation, options))

        return self._core.driver.run(flow())


class Events(Group):
    def list(
        self,
        *,
        after: Optional[str] = None,
        type: Optional[str] = None,
        limit: Optional[int] = None,
        **options: Unpack[RequestOptions],
    ) -> Pages[WebhookEvent]:
        """The events of the account, oldest first, up to the newest one."""
        return self._core.list(operations.listing("/events", after=after, type=type, limit=limit), options)

    def stream(
        self, *, after: Optional[str] = None, type: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> Iterator[FeedEvent]:
        """The events of the account as they happen, without an end."""
        operation = operations.listing("/events", after=after, type=type)
        return self._core.driver.iterate(follow_account(self._core.settings, operation, options))
