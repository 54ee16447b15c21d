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
import { textsOf } from '../http/failure-words';
import { asUpstreamId, parseJson } from '../http/json-answer';
import { mapConcurrently } from '../http/instance-adapter';
import type { JsonObject } from '../instance-definition';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { findByAttempt, listingPath, ReplicateSettings } from './replicate-listing';
import { asPrediction, type Prediction, toCancelOutcome, toStatus, toSubmitOutcome } from './replicate-prediction';
import { isSignedByStandardWebhooks } from './standard-webhook';

/** Reference: "Inputs, outputs, logs removed after 1 h". */
const RESULT_TTL_MS = 3_600_000;
const CONTROL_TIMEOUT_MS = 5_000;
/** Uploading ten megabytes of images in base64 takes a while on a slow connection. */
const SUBMIT_TIMEOUT_MS = 60_000;
/** Predictions contain their input, with its images. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Pages of a hundred predictions; older ones are not searched for a lost answer. */
const MAX_PAGES = 10;

/** Uses the HTTP API of Replicate. The URL of an instance includes the API version: `https://api.replicate.com/v1`. */
export class ReplicateProvider extends ModelAdapter implements ComputeProvider {
  readonly hosting = 'paid';
  readonly resultTtlMs = RESULT_TTL_MS;
  protected override readonly controlBounds = { timeoutMs: CONTROL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };

  constructor(
    instance: InstanceSettings,
    private readonly settings: ReplicateSettings,
    egress: Egress,
    templates: ModelTemplates,
  ) {
    super(instance, egress, templates);
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const call = this.templates.prepare(task, MAX_HOSTED_IMAGE_BYTES);
    if ('kind' in call) return call;
    const isVersion = !call.model.includes('/');
    const request = {
      method: 'POST',
      to: isVersion ? '/predictions' : `/models/${call.model}/predictions`,
      headers: { 'cancel-after': `${this.settings.cancel_after_seconds}s` },
      json: { ...(isVersion ? { version: call.model } : {}), input: call.input, ...toWebhook(task.callbackUrl) },
      timeoutMs: SUBMIT_TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    } as const;
    return this.submitBy(request, (answer) => toSubmitOutcome(answer, textsOf(task)));
  }

  /** One request for each task: a listing would contain all predictions of the account, with their inputs. */
  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    return mapConcurrently(tasks, (task) => this.status(task));
  }

  async cancel(task: UpstreamTask): Promise<CancelOutcome> {
    const id = idOf(task.ref) ?? (await this.findLost(task.id))?.id;
    if (id === undefined) return 'unknown';
    const answer = await this.call('POST', `/predictions/${id}/cancel`);
    return answer ? toCancelOutcome(answer, id) : 'unknown';
  }

  probe(): Promise<ProbeReport> {
    return this.probeBy('/account');
  }

  verifyCallback(request: CallbackRequest): Promise<boolean> {
    const { webhook_secret: secret } = this.settings;
    return Promise.resolve(secret === undefined || isSignedByStandardWebhooks(request, secret, Date.now()));
  }

  refOfCallback({ body }: CallbackRequest): JsonObject | null {
    const prediction = this.settings.webhook_secret === undefined ? null : asPrediction(parseJson(body));
    return prediction && { id: prediction.id };
  }

  private async status({ id: attemptId, ref }: UpstreamTask): Promise<UpstreamStatus> {
    const id = idOf(ref);
    if (id === null) return this.statusOfLost(attemptId);
    const answer = await this.call('GET', `/predictions/${id}`);
    if (answer?.status === 404) return { state: 'not_found' };
    const prediction = answer?.status === 200 ? asPrediction(parseJson(answer.body)) : null;
    return prediction?.id === id ? toStatus(prediction, this.fetchOutput) : { state: 'unreachable' };
  }

  private async statusOfLost(attemptId: string): Promise<UpstreamStatus> {
    const prediction = await this.findLost(attemptId);
    return prediction ? toStatus(prediction, this.fetchOutput) : { state: 'unreachable' };
  }

  /**
   * Finds the prediction of an attempt whose answer was lost, by its callback address, which no other prediction has. Not
   * finding it proves nothing, since Replicate may omit the address.
   */
  private async findLost(attemptId: string): Promise<Prediction | null> {
    let path: string | null = listingPath(attemptId);
    for (let page = 0; path !== null && page < MAX_PAGES; page += 1) {
      const answer = await this.call('GET', path);
      const listing = answer?.status === 200 ? parseJson(answer.body) : undefined;
      const { found, next } = findByAttempt(listing, attemptId);
      if (found) return found;
      path = next !== null && this.connection.owns(next) ? next : null;
    }
    return null;
  }
}

function toWebhook(callbackUrl: string | undefined): object {
  return callbackUrl === undefined ? {} : { webhook: callbackUrl, webhook_events_filter: ['start', 'completed'] };
}

function idOf(ref: JsonObject | null): string | null {
  return asUpstreamId(ref?.['id']);
}

/** An official model, by its name without a version, or any other by the id of a version. */
const MODEL = /^([\w.-]+\/[\w.-]+|[0-9a-f]{64})$/;

export const replicateType: ProviderType<ReplicateSettings> = {
  type: 'replicate',
  settings: ReplicateSettings,
  create: (instance, settings, { egress, templatesDir }) =>
    new ReplicateProvider(instance, settings, egress, ModelTemplates.read(templatesDir, 'replicate', findModelProblem)),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  if (model !== undefined && MODEL.test(model)) return null;
  return { path: ['model'], rule: "must be owner/name of an official model, or a version's 64 hex digits" };
}
