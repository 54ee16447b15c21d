import type { Operation } from '../catalog/catalog.rpc';
import { rpc } from '../shared/contract';
import type { ComputeExamination } from './examination';
import type { ImageEditBody } from './image-edit.body';
import type { ImageGenerationBody } from './image-generation.body';
import type { ClientInput, Job, JobList, JobStatus, StoredImage } from './job';
import type { JobHistory } from './job-history';
import type { JobFinished } from './jobs.events';
import type { Usage, UsageGrouping, UsageViolation } from './usage';
import type { VideoGenerationBody } from './video-generation.body';

/** An Idempotency-Key with what it is bound to: the route and the hash of the canonical JSON body. */
export interface Idempotency {
  key: string;
  route: string;
  body_sha256: string;
}

interface CreateJobCommon {
  account_id: string;
  /** The key that asks, whose spending cap the job counts against. */
  api_key_id?: string;
  idempotency?: Idempotency;
  webhook_url?: string;
  metadata?: Record<string, string>;
}

/** One creating operation's request, its images already in the object store. */
export type CreateJobRequest = CreateJobCommon &
  (
    | { kind: 'image.generation'; input: ClientInput<ImageGenerationBody> }
    | { kind: 'image.edit'; input: ClientInput<ImageEditBody>; images: StoredImage[] }
    /** Its one image is the start frame. */
    | { kind: 'video.generation'; input: ClientInput<VideoGenerationBody>; images: StoredImage[] }
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

/** Who is to pay: with an account, its balance is looked at too. A gateway of an older release names none. */
interface QuotePayer {
  account_id?: string;
  api_key_id?: string;
}

/** A request of a compute backend to the address that it was told for one attempt, which has been found genuine. */
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
  /** As the client wrote them. */
  from?: string;
  to?: string;
}

/** A read is one statement, so that what comes meanwhile is better read by the next one. */
const READ_BATCHING = { maxItems: 32, maxConcurrent: 2 } as const;
/** Accepting takes several steps: with a few sets on their way each step has one to work on. */
const CREATE_BATCHING = { maxItems: 32, maxConcurrent: 4 } as const;

export const jobsRpc = {
  /** The job that an Idempotency-Key is bound to, if any; throws idempotency_conflict for another body. */
  findReplay: rpc<{ account_id: string; idempotency: Idempotency }, { job: Job | null }>('jobs.v1.find_replay', {
    timeoutMs: 12_000,
    errors: ['idempotency_conflict', 'capacity'],
    batching: CREATE_BATCHING,
  }),
  /** Whether a model would take the wish, and its payer could pay for it, asked before any image is fetched or decoded. */
  quote: rpc<QuoteRequest, { price_micros: number }>('jobs.v1.quote', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'model_unavailable', 'insufficient_balance', 'key_budget_exceeded', 'capacity'],
  }),
  /** What no model is offered for at present, whatever the catalog says. */
  listUnoffered: rpc<Record<string, never>, { operations: Operation[] }>('jobs.v1.list_unoffered', {
    timeoutMs: 1_000,
    errors: ['capacity'],
  }),
  /** Accepts a job: nothing is charged, stored or sent twice for one Idempotency-Key. */
  create: rpc<CreateJobRequest, CreateJobReply>('jobs.v1.create', {
    // With the time that images may wait until they are judged.
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
      'capacity',
    ],
    batching: CREATE_BATCHING,
  }),
  /** One job of the account; in flight and unchecked for 5 s, it is reconciled first. */
  get: rpc<JobRef, Job>('jobs.v1.get', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
    batching: READ_BATCHING,
  }),
  list: rpc<ListJobsRequest, JobList>('jobs.v1.list', { timeoutMs: 5_000, errors: ['invalid_query', 'capacity'] }),
  /** What the account's jobs of a period came to. */
  getUsage: rpc<UsageRequest, Usage>('jobs.v1.get_usage', { timeoutMs: 5_000, errors: ['invalid_query', 'capacity'] }),
  /** Ends a job that is in flight and gives its money back before it answers; a finished job is returned unchanged. */
  cancel: rpc<JobRef, Job>('jobs.v1.cancel', { timeoutMs: 10_000, errors: ['not_found', 'capacity'] }),
  /** A backend's word on an attempt: checked as the backend signs it, and never more than a reason to look. */
  receiveCallback: rpc<BackendCallback, Record<string, never>>('jobs.v1.receive_callback', {
    timeoutMs: 8_000,
    errors: ['not_found', 'capacity'],
  }),
  /** Finished jobs that have a webhook_url, in the order of their end, to make up for events that the broker lost. */
  listFinished: rpc<{ after: FinishedCursor | null; limit: number }, FinishedPage>('jobs.v1.list_finished', {
    timeoutMs: 10_000,
    errors: ['capacity'],
  }),
  /** Compares jobs and holds, as many as there is time for, and names what does not agree. */
  verifyHolds: rpc<VerifyHoldsRequest, HoldsReport>('jobs.v1.verify_holds', {
    timeoutMs: 60_000,
    errors: ['capacity'],
  }),
  /** Recounts every ended job and compares the sums from which usage is told; at most 1,000 violations. */
  verifyUsage: rpc<Record<string, never>, { violations: UsageViolation[] }>('jobs.v1.verify_usage', {
    timeoutMs: 70_000,
    errors: ['capacity'],
  }),
  /** Looks at every compute instance, and at the ways of models to them, without making anything. */
  examineProviders: rpc<Record<string, never>, ComputeExamination>('jobs.v1.examine_providers', {
    timeoutMs: 25_000,
    errors: ['capacity', 'model_unavailable'],
  }),
  /** One job of any account, for operators, with its attempts. */
  show: rpc<{ job_id: string }, JobHistory>('jobs.v1.show', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
} as const;

/** Jobs are compared with their holds, then holds with their jobs: each side may have what the other lacks. */
export interface VerifyHoldsRequest {
  side: 'jobs' | 'holds';
  /** Only those behind this one: `next_job_id` of the report before. */
  after_job_id?: string;
}

export interface HoldsReport {
  checked: number;
  violations: UsageViolation[];
  /** Where it goes on with what there was no time for; null where this was all. */
  next_job_id: string | null;
}

/** Finished jobs in their order: at most as many as were asked for, and fewer where a message carries no more. */
export interface FinishedPage {
  finished: JobFinished[];
  /** The last one given; null where none is. */
  next: FinishedCursor | null;
  /** Whether more follow; absent from a service of an older release, whose last page is one that is not full. */
  has_more?: boolean;
  /** When the list was read, by the clock that dates the ends of jobs. Absent from an older release. */
  read_at?: string;
}

/** A place in the sequence of finished jobs. */
export interface FinishedCursor {
  completed_at: string;
  job_id: string;
}
