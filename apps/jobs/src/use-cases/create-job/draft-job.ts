import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { NewJob } from '../../job/job.row';
import { priceOf } from '../../model/price';
import { pickProvider } from '../../model/route';
import { resolveInput } from './resolve-input';
import { resolveLoras } from './resolve-loras';

/** A job as far as it can be known before anybody else was asked. */
export type DraftJob = Omit<NewJob, 'input_decision_id' | 'retention_days'>;

/** Works a request out into a job: its defaults, its price, its route. @throws ApiError invalid_body */
export function draftJob(id: string, request: CreateJobRequest, model: ResolvedModel): DraftJob {
  const input = resolveInput(request, model);
  const loras = request.kind === 'image.generation' ? resolveLoras(request.input.loras, model) : [];
  return {
    id,
    account_id: request.account_id,
    kind: request.kind,
    model: model.id,
    input,
    images: request.kind === 'image.edit' ? request.images : [],
    provider: pickProvider(model, Math.random()),
    plan: { run_timeout_ms: model.run_timeout_ms, sync_wait_ms: model.sync_wait_ms, loras },
    metadata: request.metadata ?? null,
    webhook_url: request.webhook_url ?? null,
    price_micros: priceOf(model, input),
    queue_timeout_ms: model.queue_timeout_ms,
  };
}
