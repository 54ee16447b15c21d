import type { Operation } from '../catalog/catalog.rpc';
import { rpc } from '../shared/contract';
import type { ComputeExamination } from './jobs-admin.rpc';
import type { EventPage, JobFinished, ListEventsRequest } from './jobs.events';
import type { ImageEditBody } from './image-edit.body';
import type { ImageGenerationBody } from './image-generation.body';
import type { ImageSides } from './image-input';
import type { JobProgress } from './job-progress';
import type { ClientInput, Job, JobList, JobStatus, StoredImage } from './job';
import type { JobHistory, Refusal } from './job-history';
import type { QuotedAmount } from './quote';
import type { Receipt, ReceiptKey } from './receipt';
import type { Usage, UsageGrouping, UsageViolation } from './usage';
import type { VideoGenerationBody } from './video-generation.body';

/** An Idempotency-Key with the request it is bound to: the route and the hash of the canonical JSON body. */
export interface Idempotency {
  key: string;
  route: string;
  body_sha256: string;
}

interface CreateJobCommon {
  account_id: string;
  /** Chosen by a sender that may abandon the creation. */
  job_id?: string;
  /** The key of the request; the job counts against its spending limit. */
  api_key_id?: string;
  /** What the account pays; the price list where it is left out. */
  price_group?: string;
  idempotency?: Idempotency;
  webhook_url?: string;
  metadata?: Record<string, string>;
  /** The quote whose price the job has (`X-Service-Quote`). */
  quote?: string;
  /** SHA-256 of the body as canonical JSON, for the receipt; absent where no body was sent, as by `kinora doctor`. */
  request_sha256?: string;
}

/** The request of one create operation, with its images already in the object store. */
export type CreateJobRequest = CreateJobCommon &
  (
    | { kind: 'image.generation'; input: ClientInput<ImageGenerationBody> }
    | { kind: 'image.edit'; input: ClientInput<ImageEditBody>; images: StoredImage[] }
    /** `images` has one entry, the start frame. */
    | {
        kind: 'video.generation';
        input: ClientInput<VideoGenerationBody>;
        images: StoredImage[];
        /** Refused unless the model gives a start frame of this size the same frame. */
        wanted_size?: string;
      }
  );

export interface CreateJobReply {
  job: Job;
  replayed: boolean;
}

/** A request before its images are read: only their number is known. */
export type QuoteRequest = QuotePayer &
  (
    | { kind: 'image.edit'; input: ClientInput<ImageEditBody>; image_count: number }
    | { kind: 'video.generation'; input: ClientInput<VideoGenerationBody>; image_count: number }
  );

/** The paying account, whose balance and job slots are checked too, with the key of the request. */
export interface QuotePayer {
  account_id: string;
  api_key_id: string;
  price_group?: string;
  quote?: string;
}

/** A request whose price is asked, without its images: their number is known, and the sides of the first one if the client states them. */
export type QuotePriceRequest = { account_id: string; api_key_id: string; price_group?: string } & (
  | { kind: 'image.generation'; input: ClientInput<ImageGenerationBody> }
  | { kind: 'image.edit'; input: ClientInput<ImageEditBody>; image_count: number; first_image?: ImageSides }
  | { kind: 'video.generation'; input: ClientInput<VideoGenerationBody>; image_count: number; first_image?: ImageSides }
);

export interface QuotedPrice {
  /** Null if the request is refused before its price is known, as are `price` and `expires_at`. */
  id: string | null;
  price: QuotedAmount | null;
  refusals: Refusal[];
  eta_seconds: number | null;
  expires_at: string | null;
}

/** A callback from a compute backend to the address of one attempt, after its signature was verified. */
export interface BackendCallback {
  provider: string;
  job_id: string;
  attempt_number: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body_base64: string;
}

export interface JobRef {
  account_id: string;
  job_id: string;
}

export interface GetJobRequest extends JobRef {
  /** A job whose content is deleted is then not found. */
  unless_content_deleted?: true;
}

export interface OutputFile {
  object_key: string;
  mime: string;
  bytes: number;
}

export interface ListJobsRequest {
  account_id: string;
  limit: number;
  cursor?: string;
  status?: JobStatus;
  model?: string;
}

export interface UsageRequest {
  account_id: string;
  group_by: UsageGrouping;
  /** Values exactly as the client has sent them. */
  from?: string;
  to?: string;
}

/** A read is one statement, so a second batch at the same time gains nothing. */
const READ_BATCHING = { maxItems: 32, maxConcurrent: 2 } as const;
/** Creating a job takes several steps at several services. */
const CREATE_BATCHING = { maxItems: 32, maxConcurrent: 4, isPipelined: true } as const;

export const jobsRpc = {
  /** The job that an Idempotency-Key is bound to, if any; throws idempotency_conflict for another body. */
  findReplay: rpc<{ account_id: string; idempotency: Idempotency }, { job: Job | null }>('jobs.v1.find_replay', {
    timeoutMs: 12_000,
    errors: ['idempotency_conflict'],
    batching: READ_BATCHING,
  }),
  /** Checks a request against the model, the payer's balance and its free job slots, before any image is fetched or decoded. */
  quote: rpc<QuoteRequest, { price_micros: number }>('jobs.v1.quote', {
    errors: [
      'invalid_body',
      'model_unavailable',
      'insufficient_balance',
      'key_budget_exceeded',
      'concurrency_limit',
      'quote_mismatch',
      'quote_expired',
    ],
  }),
  /** The price of a request, held for ten minutes, and every refusal that a creation would meet. Changes nothing. */
  quotePrice: rpc<QuotePriceRequest, QuotedPrice>('jobs.v1.quote_price'),
  /** Features that no model offers at present, whatever the catalog states. */
  listUnoffered: rpc<Record<string, never>, { operations: Operation[] }>('jobs.v1.list_unoffered', {
    timeoutMs: 1_000,
  }),
  /** Creates a job: nothing is charged, stored or sent twice for one Idempotency-Key. */
  create: rpc<CreateJobRequest, CreateJobReply>('jobs.v1.create', {
    // Includes the time that images may wait for moderation.
    timeoutMs: 40_000,
    errors: [
      'idempotency_conflict',
      'invalid_body',
      'model_unavailable',
      'content_blocked_prompt',
      'content_blocked_input',
      'insufficient_balance',
      'key_budget_exceeded',
      'concurrency_limit',
      'account_paused',
      'account_suspended',
      'account_closed',
      'quote_mismatch',
      'quote_expired',
    ],
    batching: CREATE_BATCHING,
  }),
  /** One job of the account. A job in flight that was not polled for 5 s is polled first. */
  get: rpc<GetJobRequest, Job>('jobs.v1.get', {
    errors: ['not_found'],
    batching: READ_BATCHING,
  }),
  /** The files of the outputs of a job, in their order, for answers that carry them. */
  listOutputFiles: rpc<JobRef, { files: OutputFile[] }>('jobs.v1.list_output_files', { errors: ['not_found'] }),
  /** The progress of one job of the account, its place in the queue, and an estimate of its end. */
  getProgress: rpc<JobRef, JobProgress>('jobs.v1.get_progress', {
    errors: ['not_found'],
    batching: READ_BATCHING,
  }),
  /** Which of these jobs have ended, at most 1,000: repairs lost signals of jobs that gateways wait for. */
  listEnded: rpc<{ job_ids: string[] }, { ended: string[] }>('jobs.v1.list_ended'),
  list: rpc<ListJobsRequest, JobList>('jobs.v1.list', { errors: ['invalid_query'] }),
  /** The events of the account's ended jobs, oldest first; none is ever skipped. */
  listEvents: rpc<ListEventsRequest, EventPage>('jobs.v1.list_events', { errors: ['invalid_query'] }),
  /** Sums over the account's jobs in a period. */
  getUsage: rpc<UsageRequest, Usage>('jobs.v1.get_usage', { errors: ['invalid_query'] }),
  /** Cancels a job in flight and refunds it before the answer; a finished job is returned unchanged. */
  cancel: rpc<JobRef, Job>('jobs.v1.cancel', { timeoutMs: 10_000, errors: ['not_found'] }),
  /** Deletes the output files of an ended job before the answer. A repeat deletes again whatever is there. */
  deleteOutputs: rpc<JobRef, Job>('jobs.v1.delete_outputs', {
    timeoutMs: 10_000,
    errors: ['not_found', 'job_in_flight'],
  }),
  /** The same, and deletes the texts of the client from the job and from its webhooks. */
  deleteContent: rpc<JobRef, Job>('jobs.v1.delete_content', {
    timeoutMs: 10_000,
    errors: ['not_found', 'job_in_flight'],
  }),
  /** The signed statement about an ended job of the account; the same facts at every call. */
  getReceipt: rpc<JobRef, Receipt>('jobs.v1.get_receipt', { timeoutMs: 8_000, errors: ['not_found', 'job_in_flight'] }),
  /** The public keys of receipts, newest first: all that ever signed, without those that were withdrawn. */
  listReceiptKeys: rpc<{ with_withdrawn?: boolean }, { keys: ReceiptKey[] }>('jobs.v1.list_receipt_keys', {
    timeoutMs: 2_000,
  }),
  /** A backend's callback about an attempt. Its signature is verified, and it only triggers a poll. */
  receiveCallback: rpc<BackendCallback, Record<string, never>>('jobs.v1.receive_callback', {
    timeoutMs: 8_000,
    errors: ['not_found'],
  }),
  /** Finished jobs with a webhook_url, in the order of their end, to make up for events that the broker lost. */
  listFinished: rpc<{ after: FinishedCursor | null; limit: number }, FinishedPage>('jobs.v1.list_finished', {
    timeoutMs: 10_000,
  }),
  /** Compares jobs and holds, as many as fit into the time limit, and names each difference. */
  verifyHolds: rpc<VerifyHoldsRequest, HoldsReport>('jobs.v1.verify_holds', { timeoutMs: 60_000 }),
  /** Recounts every ended job and compares the result with the stored usage sums; at most 1,000 violations. */
  verifyUsage: rpc<Record<string, never>, { violations: UsageViolation[] }>('jobs.v1.verify_usage', {
    timeoutMs: 70_000,
  }),
  /** Checks every compute instance, and the routes of models to them, without creating any output. */
  examineProviders: rpc<Record<string, never>, ComputeExamination>('jobs.v1.examine_providers', {
    timeoutMs: 25_000,
    errors: ['model_unavailable'],
  }),
  /** One job of any account, for operators, with its attempts. */
  show: rpc<{ job_id: string }, JobHistory>('jobs.v1.show', { errors: ['not_found'] }),
} as const;

/** The report compares jobs with their holds, then holds with their jobs, because either may lack its counterpart. */
export interface VerifyHoldsRequest {
  side: 'jobs' | 'holds';
  /** Only jobs after this one: `next_job_id` of the previous report. */
  after_job_id?: string;
}

export interface HoldsReport {
  checked: number;
  violations: UsageViolation[];
  /** Where the next report continues; null at the end. */
  next_job_id: string | null;
}

/** Finished jobs in their order: at most the requested number, and fewer if a message carries no more. */
export interface FinishedPage {
  finished: JobFinished[];
  /** The last one of the page; null if it is empty. */
  next: FinishedCursor | null;
  /** Whether more follow. */
  has_more: boolean;
  /** When the list was read, by the clock that also dates the ends of jobs. */
  read_at: string;
}

/** A place in the sequence of finished jobs. */
export interface FinishedCursor {
  completed_at: string;
  job_id: string;
}
