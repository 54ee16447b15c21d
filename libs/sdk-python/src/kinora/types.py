# Generated from apps/gateway/openapi.json by `npm run generate -- python`: do not edit.
"""The objects of the API, as they are sent and received. Fields may be added in any release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from ._typing import FileSource

if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:
    from ._typing import ReadOnly


class AccountAutoRecharge(TypedDict):
    enabled: bool

    threshold_usd: Optional[float]

    amount_usd: Optional[float]


class AccountApiKey(TypedDict):
    """The key of this request; its prefix is enough to recognise it."""

    id: str

    name: str

    prefix: str


class Account(TypedDict):
    """The paying customer: its balance and its limits."""

    object: Literal["account"]

    id: str

    name: str

    status: Literal["active", "closed", "paused", "suspended"]
    """Anything but `active` refuses new jobs."""

    currency: Literal["USD"]

    balance_micros: int
    """What can still be spent, in micro-USD: reservations are already subtracted."""

    balance_usd: float

    rate_limit_rpm: int
    """Requests a minute that each key may make."""

    max_concurrent_jobs: int
    """Jobs that may be in flight at once."""

    retention_days: int
    """Days after the end of a job at which its outputs are deleted."""

    auto_recharge: AccountAutoRecharge

    webhook_signing_configured: bool
    """Whether webhooks of this account are signed."""

    api_key: AccountApiKey
    """The key of this request; its prefix is enough to recognise it."""

    created_at: str
    """RFC 3339, in UTC."""


class _AccountStatementListRequired(TypedDict):
    has_more: bool
    """Whether older ones follow."""

    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last one."""

    object: Literal["list"]

    data: List[StatementEntry]


class AccountStatementList(_AccountStatementListRequired, total=False):
    """A page of the statement, newest first."""

    archived: ArchivedStatement


class ApiKey(TypedDict):
    """A key of the account, without its secret."""

    object: Literal["api_key"]

    id: str

    name: str

    prefix: str
    """The first characters of its secret, which suffice to recognise it."""

    scope: Literal["account", "jobs", "read"]
    """What it may do; each scope includes those before it."""

    models: Optional[List[str]]
    """The models that it may create jobs with; null for any."""

    budget_micros: Optional[int]
    """What its jobs of one period may cost; null if only the balance of the account limits it."""

    budget_period: Optional[Literal["day", "month"]]
    """Days and months are those of UTC. Null without a budget."""

    spent_micros: Optional[int]
    """What its jobs of the current period have reserved and cost; null without a budget."""

    expires_at: Optional[str]
    """When it stops working; null if it never does."""

    created_at: str
    """RFC 3339, in UTC."""

    last_used_at: Optional[str]
    """Precise to a minute; null if it was never used."""


class ApiKeyList(TypedDict):
    """A page of keys, newest first, without revoked ones."""

    has_more: bool
    """Whether older ones follow."""

    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last one."""

    object: Literal["list"]

    data: List[ApiKey]


class Appeal(TypedDict):
    """An appeal as its customer sees it."""

    object: Literal["appeal"]

    id: str

    job_id: str

    decision_id: str
    """The decision that blocked the output."""

    status: AppealStatus
    """`open` until an operator has decided: `upheld`, and the block stays, or `lifted`, and its strike no longer
    counts.
    """

    created_at: str
    """RFC 3339, in UTC."""

    decided_at: Optional[str]
    """RFC 3339, in UTC."""

    reason: Optional[str]
    """Why the operator decided so; null while it is open."""


class AppealBody(TypedDict):
    """The body of (API: POST /jobs/{id}/appeal)."""

    text: str
    """Why the block is wrong. An operator reads it beside the record of the decision; the output itself is not kept.
    """


AppealStatus = Literal["lifted", "open", "upheld"]


class ArchivedStatement(TypedDict):
    """On the last page, where older entries are archived: they are not listed."""

    through: str
    """The last archived month in UTC, such as 2026-11."""

    closing_micros: int
    """The balance at its end, and thus before the oldest entry that is listed."""


class Bounds(TypedDict):
    """The values that a model accepts, both ends included."""

    min: float

    max: float


class _CreateAccountKeyBodyRequired(TypedDict):
    name: str
    """What the account calls it."""


class CreateAccountKeyBody(_CreateAccountKeyBodyRequired, total=False):
    """A new key. It may do no more than the key that creates it."""

    scope: Literal["read", "jobs", "account", None]
    """What it may do."""

    models: Optional[List[str]]
    """The only models that it may create jobs with; those of the creating key when left out."""

    budget_micros: Optional[int]
    """What its jobs of one period may cost; give `budget_period` as well. A creating key with a budget must name one,
    which is taken from its own.
    """

    budget_period: Literal["day", "month", None]
    """The period of the budget, in UTC."""

    expires_at: Optional[str]
    """When it stops working: RFC 3339 with an offset, in the future. When left out, the expiry of the creating key."""


class DefaultedBounds(TypedDict):
    """The same, with the value of a request that gives none."""

    default: float

    min: float

    max: float


class DeletedApiKey(TypedDict):
    """A key that was revoked."""

    object: Literal["api_key"]

    id: str

    deleted: Literal[True]


class _ErrorEnvelopeErrorRequired(TypedDict):
    type: Literal["api_error", "authentication_error", "capacity_error", "content_blocked", "idempotency_conflict", "insufficient_balance", "invalid_request_error", "not_found", "permission_error", "rate_limit_error"]

    code: Literal["account_closed", "account_paused", "account_suspended", "capacity", "concurrency_limit", "content_blocked_input", "content_blocked_prompt", "exceeds_key", "idempotency_conflict", "insufficient_balance", "internal_error", "invalid_api_key", "invalid_body", "invalid_content_type", "invalid_idempotency_key", "invalid_json", "invalid_query", "job_in_flight", "key_budget_exceeded", "last_account_key", "model_not_allowed", "model_unavailable", "not_found", "quote_expired", "quote_mismatch", "rate_limited", "scope_required", "too_many_keys"]

    message: str
    """For humans; the wording may change."""

    request_id: str
    """The same as the header `X-Request-Id`."""


class ErrorEnvelopeError(_ErrorEnvelopeErrorRequired, total=False):
    param: str
    """The offending field or parameter with its path, such as `loras[1].url`."""


class ErrorEnvelope(TypedDict):
    """The body of every error response."""

    error: ErrorEnvelopeError


class EventList(TypedDict):
    """A page of the account's events, oldest first."""

    has_more: bool
    """Whether later ones follow."""

    next_cursor: Optional[str]
    """The `after` of the next page, or of a later request for new events; null while there has been no event."""

    object: Literal["list"]

    data: List[WebhookEvent]


class _ImageEditBodyRequired(TypedDict):
    prompt: str
    """The instruction, passed to the model verbatim."""


class ImageEditBody(_ImageEditBodyRequired, total=False):
    """The request for an edit: one to three images, in `image`, in `images`, or in both, which are then joined."""

    model: Optional[str]
    """A model that can do `edit`."""

    image: FileSource
    """A public https URL, or a data URI in base64."""

    images: List[FileSource]
    """Public https URLs, or data URIs in base64."""

    negative_prompt: Optional[str]
    """What the result should not show."""

    size: Optional[str]
    """Width, the letter x, height, within the bounds of the model; the size of the first image when left out."""

    seed: Optional[int]
    """The same seed and request make the same result; random when left out."""

    output_format: Literal["png", "jpeg", "webp", None]
    """The file type of the result."""

    webhook_url: Optional[str]
    """Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info."""

    metadata: Optional[Dict[str, str]]
    """Stored with the job and included in webhooks; not interpreted by the service."""


class _ImageEditInputRequired(TypedDict):
    model: str
    """The model that makes the image."""

    size: str
    """Width, the letter x, height."""

    n: Literal[1]

    seed: int
    """The seed of the image."""

    output_format: Literal["jpeg", "png", "webp"]
    """The file type of the result."""

    prompt: str
    """The instruction, passed to the model verbatim."""


class ImageEditInput(_ImageEditInputRequired, total=False):
    """The parameters of an edit, with every default filled in. Its images stand under the names that the request has
    used.
    """

    image: ImageRef
    """The image of `image`."""

    images: List[ImageRef]
    """Those of `images`. A job from before 1.0.0 has that of `image` here as well, as the first one."""

    negative_prompt: str
    """What the result should not show."""


class _ImageGenerationBodyRequired(TypedDict):
    prompt: str
    """The prompt, passed to the model verbatim."""


class ImageGenerationBody(_ImageGenerationBodyRequired, total=False):
    """The request for a text-to-image job."""

    model: Optional[str]
    """A model with the capability `t2i` (text to image)."""

    negative_prompt: Optional[str]
    """What the result should not show."""

    size: Optional[str]
    """One of the sizes of the model: width, the letter x, height. Wins over `aspect_ratio`; the first size that the
    model lists when both are left out.
    """

    aspect_ratio: Literal["1:1", "4:5", "2:3", "5:4", "3:2", "16:9", "9:16", None]
    """Picks the nearest of the sizes of the model."""

    n: Optional[int]
    """How many images; the model may allow fewer."""

    seed: Optional[int]
    """The same seed and request make the same image; random when left out. Image i has the seed plus i."""

    steps: Optional[int]
    """The number of sampling steps. The model sets the default and the limits."""

    guidance: Optional[float]
    """How closely the model follows the prompt. The model sets the default and the limits."""

    loras: Optional[List[LoraBody]]
    """Applied in this order."""

    output_format: Literal["png", "jpeg", "webp", None]
    """The file type of the result."""

    webhook_url: Optional[str]
    """Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info."""

    metadata: Optional[Dict[str, str]]
    """Stored with the job and included in webhooks; not interpreted by the service."""


class _ImageGenerationInputRequired(TypedDict):
    model: str
    """The model that makes the images."""

    size: str
    """Width, the letter x, height."""

    n: int
    """How many images."""

    seed: int
    """The seed of the first image."""

    output_format: Literal["jpeg", "png", "webp"]
    """The file type of the result."""

    prompt: str
    """The prompt, passed to the model verbatim."""


class ImageGenerationInput(_ImageGenerationInputRequired, total=False):
    """The parameters of a text-to-image job, with every default filled in."""

    steps: int
    """The number of sampling steps. The model sets the default and the limits."""

    loras: List[LoraInput]
    """Applied in this order."""

    negative_prompt: str
    """What the result should not show."""

    aspect_ratio: Literal["16:9", "1:1", "2:3", "3:2", "4:5", "5:4", "9:16"]
    """Picks the nearest of the sizes of the model."""

    guidance: float
    """How closely the model follows the prompt. The model sets the default and the limits."""


class ImageOutput(TypedDict):
    """An image that a job made."""

    url: Optional[str]
    """Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once
    it is deleted.
    """

    mime: str

    width: Optional[int]
    """Pixels."""

    height: Optional[int]
    """Pixels."""

    seed: Optional[int]
    """The seed that makes the same image again."""

    bytes: int


class ImageRef(TypedDict):
    """Replaces an image: the hash and size of the received bytes, and the sides after orientation."""

    sha256: str

    width: int

    height: int

    mime: str


class IssuedApiKey(TypedDict):
    """A key with a new secret."""

    api_key: str
    """The secret. It is in this response only, and cannot be read again."""

    object: Literal["api_key"]

    id: str

    name: str

    prefix: str
    """The first characters of its secret, which suffice to recognise it."""

    scope: Literal["account", "jobs", "read"]
    """What it may do; each scope includes those before it."""

    models: Optional[List[str]]
    """The models that it may create jobs with; null for any."""

    budget_micros: Optional[int]
    """What its jobs of one period may cost; null if only the balance of the account limits it."""

    budget_period: Optional[Literal["day", "month"]]
    """Days and months are those of UTC. Null without a budget."""

    spent_micros: Optional[int]
    """What its jobs of the current period have reserved and cost; null without a budget."""

    expires_at: Optional[str]
    """When it stops working; null if it never does."""

    created_at: str
    """RFC 3339, in UTC."""

    last_used_at: Optional[str]
    """Precise to a minute; null if it was never used."""


class IssuedWebhookSecret(TypedDict):
    """The secret, in this answer only."""

    webhook_secret: str
    """Signs the webhooks of the account from now on. It is in this response only, and cannot be read again."""


class JobOutputImages(TypedDict):
    images: List[ImageOutput]


class JobOutputVideo(TypedDict):
    video: VideoOutput


class JobModeration(TypedDict):
    """`passed` once all outputs have passed, `blocked` if any of them is blocked."""

    status: ModerationStatus


class JobError(TypedDict):
    """Why a job failed; null otherwise."""

    code: Literal["capacity", "content_blocked_input", "content_blocked_output", "invalid_output", "provider_error", "provider_timeout", "storage_error"]

    message: str


class Job(TypedDict):
    """One accepted request from its creation to its end: the same object in the list, in webhooks and by its id."""

    id: str

    object: Literal["job"]

    status: Literal["canceled", "failed", "processing", "queued", "succeeded"]
    """In flight while `queued` or `processing`; the others are final."""

    kind: Literal["image.edit", "image.generation", "image.inpaint", "image.variation", "video.generation"]

    model: str

    input: JobInput
    """The parameters of the request, with every default filled in. An image is described by its hash, size and type.
    """

    output: ReadOnly[Optional[Union[JobOutputImages, JobOutputVideo]]]
    """The outputs; null unless the job has succeeded."""

    usage: JobUsage

    moderation: JobModeration
    """`passed` once all outputs have passed, `blocked` if any of them is blocked."""

    error: Optional[JobError]
    """Why a job failed; null otherwise."""

    created_at: str
    """RFC 3339, in UTC."""

    started_at: Optional[str]
    """When a provider began; null before."""

    completed_at: Optional[str]
    """When the job ended; null before."""

    expires_at: Optional[str]
    """When the outputs are deleted; null if there are none."""

    metadata: Optional[Dict[str, str]]
    """As given in the request."""


JobInput = Union["ImageEditInput", "ImageGenerationInput", "VideoGenerationInput"]


class JobList(TypedDict):
    has_more: bool
    """Whether older ones follow."""

    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last one."""

    object: Literal["list"]

    data: List[Job]


class JobProgress(TypedDict):
    """Where a job stands."""

    object: Literal["job.progress"]

    job_id: str

    status: Literal["canceled", "failed", "processing", "queued", "succeeded"]

    progress: Optional[float]
    """0 to 1, as the compute backend reports it; never falls. Null where the backend reports nothing."""

    queue_position: Optional[int]
    """While `queued`: how many jobs the fair queue serves before this one, 0 for the next; null otherwise. Beyond 500
    it is rounded down to hundreds.
    """

    eta_seconds: Optional[float]
    """Estimated seconds until the end, from the run times of the last hour; null where there are none, and after the
    end.
    """

    updated_at: str
    """When `status` or `progress` last changed."""


class JobUsage(TypedDict):
    """The price of a job."""

    charged_micros: int
    """In micro-USD: the reserved amount while in flight, 0 after a refund."""

    charged_usd: float

    gpu_ms: Optional[int]
    """As the provider reports it; null if it reports none."""


class Lora(TypedDict):
    """A small addition to a model that changes its style."""

    id: str

    object: Literal["lora"]

    compatible_models: List[str]
    """The models that it was made for."""

    label: str

    description: Optional[str]

    default_strength: float
    """The default of `strength`."""

    triggers: Optional[str]
    """Words that a prompt should contain for the LoRA to have an effect."""

    license: Optional[str]


class LoraBody(TypedDict, total=False):
    """A LoRA, by exactly one of `id` and `url`."""

    id: Optional[str]
    """A LoRA of the catalog."""

    url: Optional[str]
    """A public https URL of a file in the safetensors format, whatever its name, for models that accept one; for videos
    the file of the high-noise expert.
    """

    strength: Optional[float]
    """The strength of its effect; the default of the catalog, or 0.8, when left out."""


class LoraInput(TypedDict, total=False):
    """A LoRA as the request named it."""

    id: str

    url: str

    low_url: str

    strength: float


class _LoraListRequired(TypedDict):
    object: Literal["list"]

    data: List[Lora]


class LoraList(_LoraListRequired, total=False):
    """The LoRAs of the catalog, or those that one model accepts."""

    model: str
    """The model of the query."""

    byo_urls: bool
    """Whether that model also accepts LoRAs by URL."""


class Model(TypedDict):
    """The models and features that jobs can use."""

    id: str

    object: Literal["model"]

    type: Literal["image", "video"]

    label: str

    description: Optional[str]

    capabilities: ModelCapabilities

    price: Optional[ModelPrice]

    license: Optional[str]


class ModelCapabilities(TypedDict, total=False):
    """What a model can do; further keys may appear."""

    t2i: bool
    """Makes images from a prompt."""

    edit: bool
    """Edits images as instructed."""

    img2img: bool

    inpaint: bool

    i2v: bool
    """Makes videos from a start frame."""

    sizes: List[str]
    """The sizes to choose from, the default first."""

    durations: List[int]
    """The durations to choose from, in seconds."""

    fps: float

    max_n: int
    """The maximum number of images of one job."""

    max_refs: int
    """The maximum number of reference images of one job."""

    steps: DefaultedBounds
    """The `steps` that a generation may have; left out where it may have none."""

    guidance: DefaultedBounds
    """The `guidance` that a generation may have; left out where it may have none."""

    output_side: Bounds
    """The pixels of each side that an edit may have."""

    loras: Literal["catalog", "url"]
    """The allowed sources of its LoRAs: the catalog, or also any URL."""

    sandbox: bool
    """True if the images are drawn by code instead of a model."""


class ModelList(TypedDict):
    """A complete list."""

    object: Literal["list"]

    data: List[Model]


class _ModelPriceRequired(TypedDict):
    micros: int
    """Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit."""

    usd: float

    unit: Literal["usd"]
    """The currency."""

    per: Literal["image", "second"]
    """What one unit is: an image, or a second of video."""


class ModelPrice(_ModelPriceRequired, total=False):
    """The price of one unit."""

    note: str


ModerationStatus = Literal["blocked", "passed", "pending"]


OperationName = Literal["images.edits", "images.generations", "videos.generations"]


class OverlapBody(TypedDict, total=False):
    """How a secret is replaced by a new one."""

    overlap_seconds: Optional[int]
    """For how long the previous secret stays valid beside the new one."""


class Ping(TypedDict):
    """The service is running."""

    ok: Literal[True]

    service: Literal["kinora"]

    version: str
    """Of the API description."""

    time: str
    """RFC 3339, in UTC."""


class ProvenanceCheck(TypedDict):
    """What is known about the origin of a file."""

    object: Literal["provenance.check"]

    result: ProvenanceResult

    credential: Optional[ProvenanceCredential]
    """Null for a file without a credential."""

    match: Optional[ProvenanceMatch]
    """Null where this service has made nothing like it. Given also beside a credential."""


class ProvenanceCheckBody(TypedDict):
    """The question where an image comes from. A file can also be the body itself."""

    image: str
    """A public https URL, or a data URI in base64."""


class ProvenanceCredential(TypedDict):
    """The content credential (C2PA) in a file. Every text is the word of its signer."""

    valid: bool
    """Whether the signature is right and the file was not changed since. False also for a credential that cannot be
    read.
    """

    trusted: bool
    """Whether the certificate leads to a root that this service trusts."""

    ours: bool
    """Whether this service has signed it."""

    signer: Optional[str]

    created_at: Optional[str]
    """RFC 3339, in UTC."""

    model: Optional[str]

    digital_source_type: Optional[str]
    """IPTC digital source type, as a URL."""

    ingredients: List[ProvenanceIngredient]
    """At most 20."""


class ProvenanceIngredient(TypedDict):
    """A file that was used to make another one, as the credential of that one states it."""

    title: Optional[str]

    valid: Optional[bool]
    """Whether its own credential was valid; null for one without a credential."""

    signer: Optional[str]

    digital_source_type: Optional[str]


class ProvenanceMatch(TypedDict):
    """An output of this service that is the file, or looks the same."""

    exact: bool
    """Whether it is this file, byte by byte."""

    distance_bits: int
    """In how many of 256 bits the perceptual hashes differ; unrelated images differ in about 128."""

    created_at: str
    """RFC 3339, in UTC."""

    model: Optional[str]
    """Null where it was not recorded."""


ProvenanceResult = Literal["credential", "match", "similar", "unknown"]


class Quote(TypedDict):
    """What a request would cost now, and whether it would be accepted. Nothing is reserved."""

    object: Literal["quote"]

    id: Optional[str]
    """Holds the price until `expires_at`, sent as `X-Service-Quote` with the creation; null where there is no price.
    """

    operation: OperationName

    model: str

    price: Optional[QuotedAmount]
    """Null if the request is refused before its price is known."""

    balance_after_micros: Optional[int]
    """The balance after the price was reserved; less than 0 if it cannot be. Null without a price."""

    would_be_accepted: bool
    """Whether a creation would pass every check that needs no image and no moderation."""

    refusals: List[Refusal]
    """In the order of the checks of a creation."""

    eta_seconds: Optional[float]
    """Estimated seconds until the job would end; null where there is nothing to measure by."""

    expires_at: Optional[str]
    """RFC 3339, in UTC."""


class QuoteBody(TypedDict):
    """The request for a quote."""

    operation: Literal["images.generations", "images.edits", "videos.generations"]
    """The operation that would create the job."""

    request: Dict[str, Any]
    """The body of that operation. An image may be left out, or be stated by its sides, such as `{"width": 1280,
    "height": 720}`: the price of some models depends on the size, which follows from the first image.
    """


class QuotedAmount(TypedDict):
    """The price of a request."""

    micros: int
    """Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit."""

    usd: float

    per: Literal["image", "second"]
    """What the price list counts."""

    quantity: int
    """Images, or seconds of video."""


class Receipt(TypedDict):
    """A signed statement about an ended job."""

    object: Literal["receipt"]

    job_id: str

    payload: ReceiptPayload

    jws: str
    """A compact JWS (RFC 7515) with EdDSA (Ed25519) over `payload` as canonical JSON (RFC 8785). The public keys are at
    `/.well-known/jwks.json`, beside `/v1`.
    """


class ReceiptDecision(TypedDict):
    """A verdict of moderation about the inputs or the outputs of the job."""

    decision_id: str

    stage: Literal["input", "output"]

    verdict: Literal["blocked", "passed"]

    policy_version: Optional[str]
    """Null for decisions that were made before versions were recorded."""

    at: str
    """RFC 3339, in UTC."""


class ReceiptEntry(TypedDict):
    """A move of money between the balance of the account, its reservations and the revenue of the service."""

    ledger_entry_id: str
    """Its id in the ledger."""

    kind: Literal["capture", "refund", "reserve"]

    amount_micros: int
    """Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit."""

    at: str
    """RFC 3339, in UTC."""


class ReceiptPayloadOutcome(TypedDict):
    status: Literal["canceled", "failed", "succeeded"]

    error_code: Optional[Literal["capacity", "content_blocked_input", "content_blocked_output", "invalid_output", "provider_error", "provider_timeout", "storage_error"]]


class ReceiptPayload(TypedDict):
    """What a receipt states. No field depends on content that may be deleted later."""

    version: Literal[1]

    job_id: str

    account_id: str

    operation: OperationName
    """The operation that created the job."""

    model: str

    outcome: ReceiptPayloadOutcome

    accepted_at: str
    """RFC 3339, in UTC."""

    started_at: Optional[str]
    """When a provider began; null if none did."""

    ended_at: str
    """RFC 3339, in UTC."""

    attempts: int
    """How many times the job was given to a provider."""

    gpu_ms: Optional[int]
    """As the provider reports it; null if it reports none."""

    price: ReceiptPrice

    hold: ReceiptEntry
    """The reservation at the creation."""

    settlement: ReceiptEntry
    """Its end: a capture after a success, otherwise a refund."""

    request_sha256: Optional[str]
    """SHA-256 of the request body as canonical JSON (RFC 8785), in hexadecimal; null for jobs that were accepted before
    receipts existed.
    """

    input_image_sha256: Optional[List[str]]
    """SHA-256 of each input image as received, in the order of the request; null like `request_sha256`."""

    output_sha256: Optional[List[str]]
    """SHA-256 of each output file; null for jobs that ended before hashes were recorded."""

    moderation: List[ReceiptDecision]
    """In their order."""


class _ReceiptPriceRequired(TypedDict):
    micros: int
    """Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit."""

    currency: Literal["USD"]

    unit_micros: Optional[int]
    """The price of one unit. This and the three below are null for jobs that were accepted before receipts existed."""

    per: Optional[Literal["image", "second"]]
    """What a unit is."""

    quantity: Optional[int]
    """Images, or seconds of video."""

    source: Optional[Literal["catalog", "hold", "quote"]]
    """`catalog`: the price list at the creation. `hold`: the amount that an earlier attempt at the same request had
    reserved; it stays, although the price list has changed since. `quote`: the price that `quote_id` held.
    """

    quote_id: Optional[str]


class ReceiptPrice(_ReceiptPriceRequired, total=False):
    """How the price of a job came about."""

    price_changes: List[int]
    """What the operator had set for `unit_micros`, by id; left out where the catalog set it, or an earlier version of
    Kinora.
    """


class Refusal(TypedDict):
    """Why a creation would be refused: the error that it would answer."""

    code: str
    """As in the errors of the creation."""

    param: Optional[str]
    """The offending field of the request, or null."""

    message: str


class _StatementEntryRequired(TypedDict):
    object: Literal["statement_entry"]

    id: str

    kind: Literal["adjustment", "capture", "credit", "refund", "reserve", "top_up"]
    """`reserve` holds the price of a job, and its end is either `capture`, which charges it, or `refund`. `top_up`,
    `credit` and `adjustment` are made by the operator.
    """

    amount_micros: int
    """Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit."""

    balance_delta_micros: int
    """The change of the balance: 0 for a capture, whose amount left the balance with the reserve."""

    balance_after_micros: int
    """What could be spent after the entry."""

    job_id: Optional[str]
    """The job that was reserved, charged or refunded; null for other kinds."""

    created_at: str
    """RFC 3339, in UTC."""


class StatementEntry(_StatementEntryRequired, total=False):
    """One move of the account's money."""

    cause: Literal["debt_payment", "dispute", "payment_refund"]
    """Of an adjustment that a payment has led to."""


class TestWebhookBody(TypedDict):
    """A receiver to try."""

    url: str
    """A public https URL, by the rules of `webhook_url`."""


Usage = TypedDict(
    "Usage",
    {
        "object": Literal["usage"],
        "from": "str",
        "to": "str",
        "group_by": Literal["day", "model"],
        "total": "UsageCounters",
        "data": "List[UsageGroup]",
        "truncated": "bool",
    },
)


class UsageCounters(TypedDict):
    """The sums over a group of jobs."""

    jobs: int

    succeeded: int

    failed: int

    canceled: int

    in_flight: int

    charged_micros: int
    """In micro-USD: includes reservations of jobs in flight, without refunds."""

    charged_usd: float

    gpu_ms: int


class UsageGroupDay(TypedDict):
    day: str

    jobs: int

    succeeded: int

    failed: int

    canceled: int

    in_flight: int

    charged_micros: int
    """In micro-USD: includes reservations of jobs in flight, without refunds."""

    charged_usd: float

    gpu_ms: int


class UsageGroupModel(TypedDict):
    model: str

    jobs: int

    succeeded: int

    failed: int

    canceled: int

    in_flight: int

    charged_micros: int
    """In micro-USD: includes reservations of jobs in flight, without refunds."""

    charged_usd: float

    gpu_ms: int


UsageGroup = Union["UsageGroupDay", "UsageGroupModel"]


class _VideoGenerationBodyRequired(TypedDict):
    image: FileSource
    """The start frame: a public https URL, or a data URI in base64. Its aspect ratio is kept."""


class VideoGenerationBody(_VideoGenerationBodyRequired, total=False):
    """The request for a video."""

    model: Optional[str]
    """A model that can do `i2v`."""

    prompt: Optional[str]
    """What moves, and how. Passed to the model verbatim."""

    negative_prompt: Optional[str]
    """What the result should not show."""

    duration: Literal[5, 8, None]
    """Seconds; one of the durations of the model."""

    seed: Optional[int]
    """The same seed and request make the same result; random when left out."""

    loras: Optional[List[VideoLoraBody]]
    """Applied in this order."""

    webhook_url: Optional[str]
    """Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info."""

    metadata: Optional[Dict[str, str]]
    """Stored with the job and included in webhooks; not interpreted by the service."""


class _VideoGenerationInputRequired(TypedDict):
    model: str
    """The model that makes the video."""

    size: str
    """Width, the letter x, height."""

    duration: Literal[5, 8]
    """Seconds."""

    seed: int
    """The seed of the video."""


class VideoGenerationInput(_VideoGenerationInputRequired, total=False):
    """The parameters of a video, with every default filled in."""

    image: ImageRef
    """The start frame."""

    images: List[ImageRef]
    """Only in a job from before 1.0.0: its start frame, instead of `image`."""

    loras: List[LoraInput]
    """Applied in this order."""

    prompt: str
    """What moves, and how. Passed to the model verbatim."""

    negative_prompt: str
    """What the result should not show."""


class VideoLoraBody(TypedDict, total=False):
    """A LoRA for videos, by exactly one of `id` and `url`; by URL it may be a pair of files."""

    low_url: Optional[str]
    """The file of the low-noise expert; `url` serves both when left out."""

    id: Optional[str]
    """A LoRA of the catalog."""

    url: Optional[str]
    """A public https URL of a file in the safetensors format, whatever its name, for models that accept one; for videos
    the file of the high-noise expert.
    """

    strength: Optional[float]
    """The strength of its effect; the default of the catalog, or 0.8, when left out."""


class VideoOutput(TypedDict):
    """A video that a job made."""

    url: Optional[str]
    """Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once
    it is deleted.
    """

    mime: str

    duration: Optional[float]
    """Seconds."""

    fps: Optional[float]
    """Frames a second."""

    width: Optional[int]
    """Pixels."""

    height: Optional[int]
    """Pixels."""

    bytes: int


class WebhookAttempt(TypedDict):
    """One attempt that has ended."""

    number: int
    """Counts from 1."""

    ended_at: str
    """RFC 3339, in UTC."""

    response_status: Optional[int]
    """Null if no answer came."""

    latency_ms: int

    response_body: Optional[str]
    """The first KiB of the answer as text. Control characters, and secrets and signatures of the account, are replaced.
    Null if no answer came, or none was kept.
    """

    error: Optional[str]
    """The class of the failure; null if the receiver acknowledged."""


class WebhookDelivery(TypedDict):
    """An event on its way to a receiver."""

    object: Literal["webhook_delivery"]

    id: str
    """The value of `X-Service-Delivery`."""

    event_id: str
    """The same in every redelivery."""

    event_type: Literal["job.canceled", "job.failed", "job.succeeded"]

    job_id: str
    """Of a test event: a job that does not exist."""

    url: str
    """Empty once the content of its job is deleted and no attempt follows."""

    status: Literal["delivered", "exhausted", "pending"]
    """`pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`)."""

    attempt_count: int

    last_response_status: Optional[int]
    """Of the last attempt; null if no answer came."""

    last_error: Optional[str]
    """The class of the last attempt's failure; null if it was acknowledged."""

    next_attempt_at: Optional[str]
    """When the next attempt is due; null if none follows."""

    redelivery_of: Optional[str]
    """The delivery that this one repeats; null for the first one of an event."""

    created_at: str
    """RFC 3339, in UTC."""

    completed_at: Optional[str]
    """RFC 3339, in UTC."""


class WebhookDeliveryDetails(TypedDict):
    """A delivery with its attempts."""

    attempts: List[WebhookAttempt]

    object: Literal["webhook_delivery"]

    id: str
    """The value of `X-Service-Delivery`."""

    event_id: str
    """The same in every redelivery."""

    event_type: Literal["job.canceled", "job.failed", "job.succeeded"]

    job_id: str
    """Of a test event: a job that does not exist."""

    url: str
    """Empty once the content of its job is deleted and no attempt follows."""

    status: Literal["delivered", "exhausted", "pending"]
    """`pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`)."""

    attempt_count: int

    last_response_status: Optional[int]
    """Of the last attempt; null if no answer came."""

    last_error: Optional[str]
    """The class of the last attempt's failure; null if it was acknowledged."""

    next_attempt_at: Optional[str]
    """When the next attempt is due; null if none follows."""

    redelivery_of: Optional[str]
    """The delivery that this one repeats; null for the first one of an event."""

    created_at: str
    """RFC 3339, in UTC."""

    completed_at: Optional[str]
    """RFC 3339, in UTC."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries, newest first."""

    has_more: bool
    """Whether older ones follow."""

    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last one."""

    object: Literal["list"]

    data: List[WebhookDelivery]


class WebhookEventData(TypedDict):
    object: Job


class WebhookEvent(TypedDict):
    """The payload of a webhook."""

    id: str
    """The same for every attempt to deliver it."""

    type: Literal["job.canceled", "job.failed", "job.succeeded"]

    created: int
    """Unix seconds."""

    data: WebhookEventData
