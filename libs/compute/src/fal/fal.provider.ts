import type { Egress } from '@kinora/egress';
import type { ConfigProblem } from '@kinora/service-kit';
import type {
  CallbackRequest,
  CancelOutcome,
  ComputeProvider,
  ProbeReport,
  ProviderTask,
  SubmitContext,
  SubmitOutcome,
  UpstreamStatus,
  UpstreamTask,
} from '../compute-provider.port';
import { ModelAdapter } from '../hosted-model/model-adapter';
import type { ModelTemplate } from '../hosted-model/model-template';
import { ModelTemplates } from '../hosted-model/model-templates';
import { MAX_HOSTED_IMAGE_BYTES } from '../hosted-model/task-parts';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import { textsOf } from '../http/failure-words';
import { asGpuMs, asUpstreamId, isRecord, parseJson } from '../http/json-answer';
import { findStatusProblem, mapConcurrently } from '../http/instance-adapter';
import { toRejectedSubmit } from '../http/submit-answer';
import type { JsonObject } from '../instance-definition';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { FalKeys, isSignedByFal } from './fal-keys';
import { appOf, type FalRequest, FalSettings, readRef, requestOf, toRequests, toEndStatus } from './fal-result';

const SUBMIT_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MS_PER_SECOND = 1_000;
/** No request has this id, so polling it only shows whether the key is valid. */
const NO_REQUEST_ID = '00000000-0000-0000-0000-000000000000';

/** Uses fal's queue. The URL of an instance is the queue's: `https://queue.fal.run`. */
export class FalProvider extends ModelAdapter implements ComputeProvider {
  readonly hosting = 'paid';
  readonly resultTtlMs: number;
  private readonly keys: FalKeys;
  private readonly apps: string[];

  constructor(
    instance: InstanceSettings,
    private readonly settings: FalSettings,
    egress: Egress,
    templates: ModelTemplates,
  ) {
    super(instance, egress, templates);
    this.resultTtlMs = settings.object_ttl_seconds * MS_PER_SECOND;
    this.keys = new FalKeys(settings.jwks_url, egress);
    this.apps = [...new Set([...templates.list().values()].map(({ model = '' }) => appOf(model)))];
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const call = this.templates.prepare(task, MAX_HOSTED_IMAGE_BYTES);
    if ('kind' in call) return call;
    const callback = task.callbackUrl === undefined ? '' : `?fal_webhook=${encodeURIComponent(task.callbackUrl)}`;
    const expiry = { expiration_duration_seconds: this.settings.object_ttl_seconds };
    const request = {
      method: 'POST',
      to: `/${call.model}${callback}`,
      headers: { 'x-fal-object-lifecycle-preference': JSON.stringify(expiry) },
      json: call.input,
      timeoutMs: SUBMIT_TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    } as const;
    return this.submitBy(request, (answer) => {
      const ref = isSuccess(answer) ? readRef(answer, call.model, (url) => this.connection.owns(url)) : null;
      return ref ? { kind: 'accepted', ref, isRunning: false } : toRejectedSubmit(answer, textsOf(task));
    });
  }

  /** One request for each task, and one more for a completed one: fal has no list. */
  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    return mapConcurrently(tasks, ({ ref }) => this.status(ref));
  }

  async cancel({ ref }: UpstreamTask): Promise<CancelOutcome> {
    for (const request of toRequests(ref, this.apps)) {
      const answer = await this.call('PUT', request.cancelUrl);
      if (answer === null) return 'unknown';
      if (answer.status !== 404) return this.confirmCancel(request, answer);
    }
    return ref === null ? 'unknown' : 'too_late';
  }

  async probe(): Promise<ProbeReport> {
    const [app] = this.apps;
    if (app === undefined)
      return { state: 'degraded', problems: ['There is no template for fal, so that no model can run.'] };
    const { statusUrl } = requestOf(app, NO_REQUEST_ID);
    const answer = await this.call('GET', statusUrl);
    if (answer === null) return { state: 'down', problems: ['The backend does not answer.'] };
    // A backend that answers "no such request" in whatever form has accepted the key.
    const isUp = answer.status >= 400 && answer.status < 500 && ![401, 402, 403, 429].includes(answer.status);
    return (isUp ? null : findStatusProblem(answer.status, statusUrl)) ?? { state: 'up', problems: [] };
  }

  verifyCallback(request: CallbackRequest): Promise<boolean> {
    return isSignedByFal(request, this.keys, Date.now());
  }

  refOfCallback({ body }: CallbackRequest): JsonObject | null {
    const reply = parseJson(body);
    const requestId = isRecord(reply) ? asUpstreamId(reply['request_id']) : null;
    return requestId === null ? null : { request_id: requestId };
  }

  private async status(ref: JsonObject | null): Promise<UpstreamStatus> {
    let status: UpstreamStatus = { state: 'unreachable' };
    for (const request of toRequests(ref, this.apps)) {
      status = await this.readStatus(request);
      if (status.state !== 'not_found') return status;
    }
    return status;
  }

  private async readStatus(request: FalRequest): Promise<UpstreamStatus> {
    const answer = await this.call('GET', request.statusUrl);
    if (answer?.status === 404) return { state: 'not_found' };
    const reply = answer && isSuccess(answer) ? parseJson(answer.body) : undefined;
    const { status: word, metrics, queue_position: queuePosition } = isRecord(reply) ? reply : {};
    const { request_id: requestId = request.id } = isRecord(reply) ? reply : {};
    if (requestId !== request.id) return { state: 'unreachable' };
    if (word === 'IN_QUEUE') return { state: 'queued', ...asPlace(queuePosition) };
    if (word === 'IN_PROGRESS') return { state: 'running' };
    // Only `COMPLETED` means that there is a result to read; every other status is not an end.
    const end = word === 'COMPLETED' ? await this.call('GET', request.responseUrl) : null;
    const gpuMs = isRecord(metrics) ? asGpuMs(metrics['inference_time'], MS_PER_SECOND) : null;
    return end ? toEndStatus(end, gpuMs, this.fetchOutput) : { state: 'unreachable' };
  }

  /** fal only tries to cancel; a poll shows the outcome. */
  private async confirmCancel(request: FalRequest, answer: HttpAnswer): Promise<CancelOutcome> {
    const reply = parseJson(answer.body);
    if (isRecord(reply) && reply['status'] === 'ALREADY_COMPLETED') return 'too_late';
    const { state } = await this.readStatus(request);
    if (state === 'canceled' || state === 'failed' || state === 'not_found') return 'stopped';
    return state === 'succeeded' ? 'too_late' : 'unknown';
  }
}

/** The number of requests before it, those of other customers included. */
function asPlace(value: unknown): { queuedAhead?: number } {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? { queuedAhead: Number(value) } : {};
}

/** `owner/app`, and the path of one of the app's endpoints. */
const MODEL = /^[\w.-]+\/[\w.-]+(\/[\w.-]+)*$/;

export const falType: ProviderType<FalSettings> = {
  type: 'fal',
  settings: FalSettings,
  create: (instance, settings, { egress, templatesDir }) =>
    new FalProvider(instance, settings, egress, ModelTemplates.read(templatesDir, 'fal', findModelProblem)),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  if (model !== undefined && MODEL.test(model)) return null;
  return { path: ['model'], rule: 'must be the id of an endpoint, like fal-ai/flux/dev' };
}
