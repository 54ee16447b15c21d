"""Waiting for a job: by its stream, by requests that wait, by polling. As test/sdk-vectors/waiting.json says."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Mapping, NamedTuple, Optional, cast

from ._calls import Attempts, Operation, Options, exchange, is_retriable, key_of, segment
from ._errors import JobFailedError, JobPendingError, KinoraError
from ._flow import Flow, Notify, Sleep
from ._options import DEFAULT_WAIT_SECONDS, Settings, refuse_unknown
from ._streams import MAX_EMPTY_STREAMS, EventStream, FeedEvent, Refused
from .types import Job, JobProgress

MAX_PREFERENCE_SECONDS = 60
FIRST_POLL_SECONDS = 0.5
MAX_POLL_SECONDS = 5.0
# The time beside its wait that a request with a preference may take.
GRACE_SECONDS = 15.0
ACCOUNT_EVENTS = frozenset({"job.succeeded", "job.failed", "job.canceled"})
_FINAL_REFUSALS = frozenset({401, 403})


class Wait(NamedTuple):
    """What a wait needs. `resume` is how the error of a wait goes on."""

    settings: Settings
    job_id: str
    options: Options
    idempotency_key: Optional[str]
    resume: Callable[..., Any]
    deadline: float

    @property
    def request_options(self) -> Options:
        return {name: self.options[name] for name in ("headers", "on_response") if name in self.options}


def create_and_wait(settings: Settings, operation: Operation, options: Options, resume: Callable[..., Any]) -> Flow[Job]:
    """Creates a job and gives it back when it has succeeded."""
    key = key_of(operation, options)
    attempts = Attempts(settings.timeout, options.get("max_retries", settings.max_retries))
    created, _ = yield from exchange(settings, operation, options, attempts, key)
    job = cast(Job, created)
    if _has_ended(job):
        return settled(job, key)
    return (yield from wait(settings, job["id"], options, key, resume))


def wait(
    settings: Settings, job_id: str, options: Options, key: Optional[str], resume: Callable[..., Any]
) -> Flow[Job]:
    """Gives a job back when it has succeeded. @raises JobFailedError, or JobPendingError where the wait ends first"""

    refuse_unknown(options)

    def go_on(**again: Any) -> Any:
        return resume(job_id, key, {**options, **again})

    deadline = time.monotonic() + options.get("timeout", DEFAULT_WAIT_SECONDS)
    waiting = Wait(settings, job_id, options, key, go_on, deadline)
    try:
        job = yield from _follow(waiting)
        if job is None:
            job = yield from _request(waiting)
    except (Exception, GeneratorExit):
        raise
    except BaseException as interruption:
        # KeyboardInterrupt or a cancelled task: both must go on, and carry the handle of the job.
        if options.get("cancel_on_abort"):
            yield from _cancel(waiting)
        interruption.__cause__ = _pending(waiting, "aborted")
        raise
    return settled(job, key)


def _follow(waiting: Wait) -> Flow[Optional[Job]]:
    """The ended job from its stream; None where streams do not work."""
    stream = EventStream(waiting.settings, _events_of(waiting.job_id), waiting.request_options, waiting.deadline)
    empty = 0
    while empty < MAX_EMPTY_STREAMS:
        try:
            event = yield from stream.next()
        except Refused as refused:
            if refused.error is not None and refused.status in _FINAL_REFUSALS:
                raise refused.error from None
            return None
        if event is None:
            yield from _pause(waiting, stream.retry_seconds)
            empty += 1
        elif event.type in ACCOUNT_EVENTS:
            yield from stream.close()
            return cast(Job, event.data)
        elif event.type == "job.progress":
            # The end of this stream counts it again, to zero.
            empty = -1
            if time.monotonic() >= waiting.deadline:
                raise _pending(waiting, "timeout")
            if "on_update" in waiting.options:
                yield Notify(waiting.options["on_update"], event.data)
    return None


def _request(waiting: Wait) -> Flow[Job]:
    """The ended job, from requests that wait where the service lets them, and that are repeated where it does not."""
    polls = 0
    status: Optional[str] = None
    while True:
        left = waiting.deadline - time.monotonic()
        if left <= 0:
            raise _pending(waiting, "timeout")
        seconds = max(1, min(MAX_PREFERENCE_SECONDS, math.ceil(left)))
        started = time.monotonic()
        job, headers = yield from _get(waiting, seconds)
        if _has_ended(job):
            return job
        if job["status"] != status and "on_update" in waiting.options:
            yield Notify(waiting.options["on_update"], _progress_of(job))
        status = job["status"]
        # A service that is being stopped answers at once, also where it says that it has waited.
        if "preference-applied" in headers and time.monotonic() - started > FIRST_POLL_SECONDS:
            polls = 0
            continue
        yield from _pause(waiting, min(MAX_POLL_SECONDS, FIRST_POLL_SECONDS * 1.5**polls))
        polls += 1


def _get(waiting: Wait, seconds: int) -> Flow["tuple[Job, Mapping[str, str]]"]:
    operation = Operation("GET", f"/jobs/{segment(waiting.job_id)}", headers={"prefer": f"wait={seconds}"})
    max_retries = waiting.options.get("max_retries", waiting.settings.max_retries)
    attempts = Attempts(seconds + GRACE_SECONDS, max_retries, waiting.deadline)
    try:
        job, headers = yield from exchange(waiting.settings, operation, waiting.request_options, attempts, None)
        return cast(Job, job), headers
    except KinoraError as error:
        if not is_retriable(error):
            raise
        is_over = waiting.deadline - time.monotonic() <= 0.01
        raise _pending(waiting, "timeout" if is_over else "unavailable") from error


def _cancel(waiting: Wait) -> Flow[None]:
    """Cancels on the way out: whatever comes of it, the interruption goes on."""
    operation = Operation("POST", f"/jobs/{segment(waiting.job_id)}/cancel")
    attempts = Attempts(waiting.settings.timeout, 1)
    try:
        yield from exchange(waiting.settings, operation, waiting.request_options, attempts, None)
    except KinoraError as error:
        waiting.settings.logger.warning("Job %s could not be cancelled: %s", waiting.job_id, error)


def _pause(waiting: Wait, seconds: float) -> Flow[None]:
    left = waiting.deadline - time.monotonic()
    if left <= 0:
        raise _pending(waiting, "timeout")
    yield Sleep(min(seconds, left))
    if waiting.deadline - time.monotonic() <= 0:
        raise _pending(waiting, "timeout")


def follow_job(settings: Settings, job_id: str, last_event_id: Optional[str], options: Options) -> Flow[None]:
    """Emits the events of a job, the last of which has the ended job."""
    stream = EventStream(settings, _events_of(job_id), options, last_id=last_event_id)
    known = ACCOUNT_EVENTS | {"job.progress"}
    yield from stream.follow(ACCOUNT_EVENTS, lambda event: event if event.type in known else None)


def follow_account(settings: Settings, operation: Operation, options: Options) -> Flow[None]:
    """Emits the events of all jobs, without an end."""
    yield from EventStream(settings, operation, options).follow(
        frozenset(), lambda event: FeedEvent(event.id, event.data) if event.type in ACCOUNT_EVENTS else None
    )


def _events_of(job_id: str) -> Operation:
    return Operation("GET", f"/jobs/{segment(job_id)}/events")


def _progress_of(job: Job) -> JobProgress:
    """A job does not report its progress, so only its status is known."""
    return JobProgress(
        object="job.progress",
        job_id=job["id"],
        status=job["status"],
        progress=None,
        queue_position=None,
        eta_seconds=None,
        updated_at=job.get("started_at") or job["created_at"],
    )


def _has_ended(job: Job) -> bool:
    return job["status"] not in ("queued", "processing")


def settled(job: Job, key: Optional[str] = None) -> Job:
    """The job, if it has succeeded. @raises JobFailedError"""
    if job["status"] != "succeeded":
        raise JobFailedError(job, key)
    return job


def _pending(waiting: Wait, code: str) -> JobPendingError:
    return JobPendingError(waiting.job_id, code, waiting.idempotency_key, waiting.resume)
