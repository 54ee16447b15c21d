import { createHash } from 'node:crypto';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { ApiError } from '@kinora/contracts/shared/errors';
import type { PassedContent, PassedDecisionId } from '@kinora/contracts/moderation/moderation.rpc';
import { v7 as uuidv7 } from 'uuid';
import type { JobInsertRepository, PaidJob } from '../src/job/job-insert.repository';
import type { JobRow, NewJob } from '../src/job/job.entity';

const PRICE_MICROS = 20_000;

/** A model as the catalog resolves it. */
export function resolvedModel(parts: Partial<ResolvedModel>): ResolvedModel {
  return {
    id: 'general-image',
    capabilities: {},
    price: { micros: 1, per: 'image', micros_by_size: {} },
    loras: [],
    routes: [{ provider: 'sandbox', weight: 1 }],
    sync_wait_ms: 0,
    queue_timeout_ms: 1,
    run_timeout_ms: 2,
    max_backlog: 1,
    ...parts,
  };
}

/** The field that the refusal of some work names. */
export function refusedParam(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return (error as ApiError).param;
  }
  return 'nothing refused';
}

/** A text-to-image job that may be inserted. */
export function newJob(parts: Partial<NewJob> = {}): NewJob {
  const { model = 'general-image' } = parts;
  return {
    id: uuidv7(),
    account_id: uuidv7(),
    kind: 'image.generation',
    model,
    input: { model, prompt: '', size: '128x100', n: 1, seed: 1, output_format: 'png' },
    images: [],
    provider: 'sandbox',
    plan: { run_timeout_ms: 60_000, sync_wait_ms: 0, loras: [], routes: [{ provider: 'sandbox', weight: 1 }] },
    metadata: null,
    webhook_url: null,
    price_micros: PRICE_MICROS,
    queue_timeout_ms: 60_000,
    accepted_facts: {
      request_sha256: null,
      input_image_sha256: [],
      price: { unit_micros: PRICE_MICROS, per: 'image', quantity: 1 },
    },
    ...parts,
  };
}

function screenedHashes({ input, images }: NewJob): PassedContent['content_sha256'] {
  const texts = [input.prompt, input.negative_prompt].filter((text) => text !== undefined);
  return [
    ...texts.map((text) => createHash('sha256').update(text).digest('hex')),
    ...images.map(({ sha256 }) => sha256),
  ];
}

/** Inserts one job, with a hold of its price unless another one is given. @returns null if it is not stored. */
export async function insertJob(
  jobs: JobInsertRepository,
  job: NewJob,
  {
    hold = { amount_micros: job.price_micros, retention_days: 7 },
    idempotencyKey = null,
  }: Partial<Pick<PaidJob, 'hold' | 'idempotencyKey'>> = {},
): Promise<JobRow | null> {
  const passed = { decision_id: job.id as PassedDecisionId, content_sha256: screenedHashes(job) };
  return jobs.insert({ job, passed, hold, idempotencyKey });
}
