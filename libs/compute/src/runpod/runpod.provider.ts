import type { Egress } from '@kinora/egress';
import {
  type CallbackRequest,
  type CancelOutcome,
  type ComputeProvider,
  type FetchOutput,
  type InstanceCapacity,
  type ProbeReport,
  type ProviderTask,
  ProviderUnreachable,
  type SeededOutputs,
  type SubmitContext,
  type SubmitOutcome,
  type SupportedChoices,
  type TaskFacts,
  type UpstreamStatus,
  type UpstreamTask,
} from '../compute-provider.port';
import { ModelTemplates } from '../hosted-model/model-templates';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import { textsOf } from '../http/failure-words';
import { InstanceAdapter, mapConcurrently } from '../http/instance-adapter';
import { asUpstreamId, decodeInlineFile, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { comfyuiWorker } from './comfyui-worker';
import { plainWorker } from './plain-worker';
import { asRunpodJob, countWorkers, isOver, type RunpodJob, toStatus, type WorkerPayload } from './runpod-job';
import { RunpodSettings } from './runpod-settings';

/** Results of `/run` are kept for half an hour: a job that is not found afterwards was paid for, and its result is lost. */
const RESULT_TTL_MS = 30 * 60_000;
/** "POST /run (body ≤10 MB)", read as the smaller of the two megabytes. */
const MAX_BODY_BYTES = 10_000_000;
const CONTROL_TIMEOUT_MS = 10_000;
/** Ten megabytes take a while on a slow connection. */
const SUBMIT_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
/** The status may contain the results, in base64. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** One serverless endpoint of RunPod. The URL of an instance names it: `https://api.runpod.ai/v2/<endpoint id>`. */
export class RunpodProvider extends InstanceAdapter implements ComputeProvider {
  readonly provenance = 'trainedAlgorithmicMedia';
  readonly supports: SupportedChoices;
  readonly hosting = 'paid';
  readonly resultTtlMs = RESULT_TTL_MS;
  readonly templateNames: ReadonlySet<string>;
  protected override readonly controlBounds = { timeoutMs: CONTROL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };

  constructor(
    instance: InstanceSettings,
    private readonly settings: RunpodSettings,
    private readonly payload: WorkerPayload,
    egress: Egress,
  ) {
    super(instance, egress);
    this.supports = payload.supports;
    this.templateNames = payload.templateNames;
  }

  findUnsupported(task: TaskFacts): string | null {
    return this.payload.findUnsupported(task);
  }

  seededOutputs(task: TaskFacts): SeededOutputs {
    return this.payload.seededOutputs(task);
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const input = this.payload.toInput(task);
    if (input === null) return toFailed('invalid_input', 'the template does not fit the task');
    const json = {
      input,
      policy: this.policy(),
      ...(task.callbackUrl === undefined ? {} : { webhook: task.callbackUrl }),
    };
    // Transient, because another instance may accept a larger body.
    if (Buffer.byteLength(JSON.stringify(json)) > MAX_BODY_BYTES)
      return toFailed('transient', `the request is larger than ${MAX_BODY_BYTES} bytes`);
    const bounds = { timeoutMs: SUBMIT_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
    const request = { method: 'POST', to: '/run', json, ...bounds, signal } as const;
    return this.submitBy(request, (answer) => toSubmitOutcome(answer, task));
  }

  statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    return mapConcurrently(tasks, ({ ref }) => this.status(ref));
  }

  async cancel({ ref }: UpstreamTask): Promise<CancelOutcome> {
    const id = asUpstreamId(ref?.['job_id']);
    const job = id === null ? 'unreachable' : await this.readStatus(id);
    if (job === 'unreachable' || job === 'not_found') return 'unknown';
    if (isOver(job)) return job.status === 'CANCELLED' ? 'stopped' : 'too_late';
    const answer = await this.call('POST', `/cancel/${job.id}`);
    const canceled = answer && isSuccess(answer) ? asRunpodJob(parseJson(answer.body)) : null;
    return canceled?.id === id && canceled?.status === 'CANCELLED' ? 'stopped' : 'unknown';
  }

  /** Workers that run or start; RunPod's scaler starts more when a task waits. */
  async readCapacity(): Promise<InstanceCapacity | null> {
    const answer = await this.call('GET', '/health');
    if (!answer || !isSuccess(answer)) throw new ProviderUnreachable('The endpoint did not answer GET /health.');
    const workers = countWorkers(parseJson(answer.body));
    return workers === null ? null : { concurrency: workers * this.settings.jobs_per_worker, interleaves: false };
  }

  probe(): Promise<ProbeReport> {
    return this.probeBy('/health');
  }

  /**
   * RunPod signs no callbacks. The unguessable address authenticates one, which is enough for a hint: the job is polled
   * afterwards.
   */
  verifyCallback({ body }: CallbackRequest): Promise<boolean> {
    return Promise.resolve(asRunpodJob(parseJson(body)) !== null);
  }

  private policy(): { executionTimeout: number; ttl: number } {
    const { execution_timeout_seconds: runSeconds, ttl_seconds: ttlSeconds } = this.settings;
    return { executionTimeout: runSeconds * 1_000, ttl: ttlSeconds * 1_000 };
  }

  /** Without an id the job cannot be polled, since RunPod lists no jobs; that proves nothing. */
  private async status(ref: UpstreamTask['ref']): Promise<UpstreamStatus> {
    const id = asUpstreamId(ref?.['job_id']);
    const job = id === null ? 'unreachable' : await this.readStatus(id);
    if (job === 'unreachable' || job === 'not_found') return { state: job };
    const files = Number(ref?.['files'] ?? 1);
    return toStatus(job, { payload: this.payload, files, fetchOutput: (file) => this.fetchOutput(file) });
  }

  private async readStatus(id: string): Promise<RunpodJob | 'not_found' | 'unreachable'> {
    const answer = await this.call('GET', `/status/${id}`);
    if (answer?.status === 404) return 'not_found';
    const job = answer && isSuccess(answer) ? asRunpodJob(parseJson(answer.body)) : null;
    return job?.id === id ? job : 'unreachable';
  }

  private fetchOutput(file: string): FetchOutput {
    const bounds = { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES };
    return async () =>
      /^https?:/i.test(file) ? await this.connection.fetchFile(file, bounds) : decodeInlineFile(file);
  }
}

function toSubmitOutcome(answer: HttpAnswer, task: ProviderTask): SubmitOutcome {
  const job = isSuccess(answer) ? asRunpodJob(parseJson(answer.body)) : null;
  if (job === null) return toRejectedSubmit(answer, textsOf(task));
  const ref = { job_id: job.id, files: task.operation === 'video.generation' ? 1 : task.n };
  return { kind: 'accepted', ref, isRunning: job.status === 'IN_PROGRESS' || job.status === 'RUNNING' };
}

function toFailed(kind: 'invalid_input' | 'transient', reason: string): SubmitOutcome {
  return { kind: 'failed', failure: { kind, reason }, gpuMs: null };
}

export const runpodType: ProviderType<RunpodSettings> = {
  type: 'runpod',
  settings: RunpodSettings,
  create: (instance, settings, { templatesDir, egress }) => {
    const payload =
      settings.worker === 'comfyui'
        ? comfyuiWorker(settings, templatesDir)
        : plainWorker(ModelTemplates.read(templatesDir, 'runpod', () => null));
    return new RunpodProvider(instance, settings, payload, egress);
  },
};
