import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { JobPlan, NewJob } from '../../job/job.row';
import { priceOf } from '../../model/price';
import { resolveLoras, resolveVideoLoras } from '../../model/resolve-loras';
import { videoFps } from '../../model/video-bounds';
import { chooseFirst } from '../../routing/choose-route';
import { inputImages } from './input-images';
import { resolveInput } from './resolve-input';

/** A job as far as it can be known before anybody else was asked. */
export type DraftJob = Omit<NewJob, 'input_decision_id' | 'passed_input_sha256' | 'retention_days'>;

/** Works a request out into a job: its defaults, its price, its route. @throws ApiError invalid_body */
export function draftJob(id: string, request: CreateJobRequest, model: ResolvedModel): DraftJob {
  const input = resolveInput(request, model);
  return {
    id,
    account_id: request.account_id,
    kind: request.kind,
    model: model.id,
    input,
    images: inputImages(request),
    provider: providerOf(model),
    plan: planOf(request, model),
    metadata: request.metadata ?? null,
    webhook_url: request.webhook_url ?? null,
    price_micros: priceOf(model, input),
    queue_timeout_ms: model.queue_timeout_ms,
  };
}

function planOf(request: CreateJobRequest, model: ResolvedModel): JobPlan {
  const { run_timeout_ms, sync_wait_ms, routes } = model;
  const common = { run_timeout_ms, sync_wait_ms, routes };
  switch (request.kind) {
    case 'image.generation':
      return { ...common, loras: resolveLoras(request.input.loras, model) };
    case 'image.edit':
      return { ...common, loras: [] };
    case 'video.generation':
      return { ...common, loras: resolveVideoLoras(request.input.loras, model), fps: videoFps(model) };
  }
}

function providerOf({ id, routes }: ResolvedModel): string {
  const route = chooseFirst(routes, Math.random());
  if (!route) throw new Error(`Model ${id} has no route`);
  return route.provider;
}
