import type { Egress } from '@kinora/egress';
import type { Clock, ConfigProblem } from '@kinora/service-kit';
import type {
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
import type { HttpAnswer } from '../http/bounded-exchange';
import { textsOf } from '../http/failure-words';
import { callAfterSilence } from '../http/instance-connection';
import { parseJson } from '../http/json-answer';
import { toFinishedSubmit, toRejectedSubmit, toUnansweredSubmit } from '../http/submit-answer';
import type { JsonObject } from '../instance-definition';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { findInputProblems, toHealthReport } from './cog-health';
import { readEnd, toCancelOutcome, toPredictionId } from './cog-prediction';

/** A fallback: jobs aborts at its own deadline, long before. */
const MAX_WORK_MS = 3_600_000;
/** Four large images in base64, or a video. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** A server of the operator has no request limit, so the bound covers every valid task. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/**
 * A container that Cog built. It has no endpoint for the status of a prediction, and a callback is sent once with the whole
 * result and may be lost. Therefore the adapter uses the open request. A task whose request breaks is proven lost, and runs
 * again under the next attempt's id.
 */
export class CogProvider extends ModelAdapter implements ComputeProvider {
  readonly hosting = 'own';
  readonly resultTtlMs = null;
  /** Open requests of this process, by the task's id. */
  private readonly open = new Map<string, AbortController>();

  constructor(
    instance: InstanceSettings,
    egress: Egress,
    templates: ModelTemplates,
    private readonly clock: Clock,
  ) {
    super(instance, egress, templates);
  }

  async submit(task: ProviderTask, context: SubmitContext): Promise<SubmitOutcome> {
    const call = this.templates.prepare(task, MAX_IMAGE_BYTES);
    if ('kind' in call) return call;
    try {
      const answer = await this.predict(task.id, call.input, context);
      const end = readEnd(answer, task);
      if (end === null) return toRejectedSubmit(answer, textsOf(task));
      return end.kind === 'failed' ? end : await toFinishedSubmit(end.outputs.map(this.fetchOutput), end.gpuMs);
    } catch (error) {
      return toUnansweredSubmit(error);
    }
  }

  /** Predictions cannot be polled. A prediction without an open request is lost as soon as its server answers again. */
  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    const hasLost = tasks.some(({ id }) => !this.open.has(id));
    const state = hasLost && (await this.call('GET', '/health-check'))?.status === 200 ? 'not_found' : 'unreachable';
    return new Map(tasks.map(({ id }) => [id, { state: this.open.has(id) ? 'running' : state }]));
  }

  /** Newer servers stop when the request is closed; the explicit cancel is for those that do not. */
  async cancel({ id }: UpstreamTask): Promise<CancelOutcome> {
    const request = this.open.get(id);
    const answer = await this.call('POST', `/predictions/${toPredictionId(id)}/cancel`);
    request?.abort();
    return answer ? toCancelOutcome(answer.status, request !== undefined) : 'unknown';
  }

  async probe(): Promise<ProbeReport> {
    const health = await this.call('GET', '/health-check');
    if (health === null) return { state: 'down', problems: ['The backend does not answer.'] };
    if (health.status !== 200)
      return { state: 'down', problems: [`The backend answers GET /health-check with ${health.status}.`] };
    const report = toHealthReport(parseJson(health.body));
    if (report.state !== 'up') return report;
    const openapi = await this.call('GET', '/openapi.json');
    const problems = openapi?.status === 200 ? findInputProblems(parseJson(openapi.body), this.templates.list()) : [];
    return problems.length === 0 ? report : { ...report, state: 'degraded', problems };
  }

  private async predict(taskId: string, input: JsonObject, { signal, onRunning }: SubmitContext): Promise<HttpAnswer> {
    const canceling = new AbortController();
    const answered = new AbortController();
    this.open.set(taskId, canceling);
    try {
      return await this.connection.send({
        method: 'PUT',
        to: `/predictions/${toPredictionId(taskId)}`,
        json: { input },
        timeoutMs: MAX_WORK_MS,
        maxAnswerBytes: MAX_RESULT_BYTES,
        signal: AbortSignal.any([signal, canceling.signal]),
        onSent: () => callAfterSilence(this.clock, onRunning, answered.signal),
      });
    } finally {
      answered.abort();
      if (this.open.get(taskId) === canceling) this.open.delete(taskId);
    }
  }
}

/** A container runs one model, so this type has no settings of its own. */
export class CogSettings {}

export const cogType: ProviderType<CogSettings> = {
  type: 'cog',
  settings: CogSettings,
  create: (instance, _settings, { egress, clock, templatesDir }) =>
    new CogProvider(instance, egress, ModelTemplates.read(templatesDir, 'cog', findModelProblem), clock),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  return model === undefined ? null : { path: ['model'], rule: 'must be left out: a container runs one model' };
}
