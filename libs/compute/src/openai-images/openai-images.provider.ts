import type { Egress } from '@kinora/egress';
import type { Clock } from '@kinora/service-kit';
import type {
  CancelOutcome,
  ComputeProvider,
  ProbeReport,
  ProviderTask,
  SeededOutputs,
  SubmitContext,
  SubmitOutcome,
  TaskFacts,
  UpstreamStatus,
  UpstreamTask,
  SupportedChoices,
} from '../compute-provider.port';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import { InstanceAdapter, mapConcurrently } from '../http/instance-adapter';
import { callAfterSilence } from '../http/instance-connection';
import { asGpuMs, asUpstreamId, decodeInlineFile, isRecord, parseJson } from '../http/json-answer';
import { toFinishedSubmit, toUnansweredSubmit } from '../http/submit-answer';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { DIALECT_BY_NAME } from './dialects';
import { type Dialect, OpenAiImagesSettings, type Work } from './openai-images-settings';
import { asVideoJob, findOutputSources, type OutputSource, toErrorOutcome } from './video-job';
import { VideoJobs } from './video-jobs';

const ACCEPT_TIMEOUT_MS = 30_000;
/** A fallback: jobs aborts at its own deadline, long before. */
const MAX_WORK_MS = 3_600_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** Ten large images in base64. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A choice that a dialect has no field for is refused. */
const SUPPORTED: SupportedChoices = {
  prompt: 'or_refused',
  negativePrompt: 'always',
  width: 'or_refused',
  height: 'or_refused',
  seed: 'always',
  loras: 'or_refused',
  images: 'or_refused',
  n: 'or_refused',
  steps: 'always',
  guidance: 'or_refused',
  durationSeconds: 'always',
  fps: 'always',
};

/** vLLM-Omni, SGLang or LocalAI on the operator's machines: images come with the answer, videos (except LocalAI's) are polled. */
export class OpenAiImagesProvider extends InstanceAdapter implements ComputeProvider {
  readonly provenance = 'trainedAlgorithmicMedia';
  readonly supports = SUPPORTED;
  readonly hosting = 'own';
  readonly resultTtlMs = null;
  private readonly videos: VideoJobs;
  /** Submissions of this process whose answer is the result, by the task's id. */
  private readonly atWork = new Map<string, AbortController>();

  constructor(
    instance: InstanceSettings,
    private readonly settings: OpenAiImagesSettings,
    private readonly dialect: Dialect,
    egress: Egress,
    private readonly clock: Clock,
  ) {
    // OpenAI clients have the version in their base URL, and operators copy it from there.
    super({ ...instance, url: instance.url.replace(/\/v1\/?$/, '') }, egress);
    this.videos = new VideoJobs(this.connection, dialect);
  }

  findUnsupported(task: TaskFacts): string | null {
    return this.dialect.findUnsupported(task, this.settings);
  }

  /** One seed draws the whole batch. */
  seededOutputs(): SeededOutputs {
    return 'first';
  }

  async submit(task: ProviderTask, context: SubmitContext): Promise<SubmitOutcome> {
    const work = this.dialect.toWork(task, this.settings);
    try {
      return work.answersWith === 'result'
        ? await this.submitAndWait(work, task, context)
        : await this.submitVideo(work, task, context);
    } catch (error) {
      return toUnansweredSubmit(error);
    }
  }

  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    const hasLost = tasks.some(({ ref }) => videoIdIn(ref) === null);
    const lost = hasLost ? await this.stateOfTheLost() : 'unreachable';
    return mapConcurrently(tasks, async ({ id, ref }): Promise<UpstreamStatus> => {
      const videoId = videoIdIn(ref);
      if (videoId !== null) return this.videos.status(videoId);
      return { state: this.atWork.has(id) ? 'running' : lost };
    });
  }

  async cancel({ id, ref }: UpstreamTask): Promise<CancelOutcome> {
    const videoId = videoIdIn(ref);
    if (videoId !== null) return this.videos.cancel(videoId);
    // The servers notice a closed connection at some time or never, and none proves that it has stopped.
    this.atWork.get(id)?.abort();
    return 'unknown';
  }

  probe(): Promise<ProbeReport> {
    return this.probeBy(...this.dialect.healthPaths);
  }

  private async submitAndWait(work: Work, task: ProviderTask, context: SubmitContext): Promise<SubmitOutcome> {
    const canceling = new AbortController();
    this.atWork.set(task.id, canceling);
    const silence = new AbortController();
    try {
      const signal = AbortSignal.any([context.signal, canceling.signal]);
      const answer = await this.post(work, signal, MAX_WORK_MS, () =>
        callAfterSilence(this.clock, context.onRunning, silence.signal),
      );
      return isSuccess(answer) ? await this.toFinished(answer) : toErrorOutcome(answer, task);
    } finally {
      silence.abort();
      this.atWork.delete(task.id);
    }
  }

  private async submitVideo(work: Work, task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const answer = await this.post(work, signal, ACCEPT_TIMEOUT_MS);
    if (!isSuccess(answer)) return toErrorOutcome(answer, task);
    const job = asVideoJob(parseJson(answer.body));
    if (job === null) return { kind: 'unknown' };
    return { kind: 'accepted', ref: { video_id: job.id }, isRunning: job.status === 'in_progress' };
  }

  private post(work: Work, signal: AbortSignal, timeoutMs: number, onSent?: () => void): Promise<HttpAnswer> {
    return this.connection.send({
      method: 'POST',
      to: work.path,
      ...('json' in work ? { json: work.json } : { form: work.form }),
      ...(onSent ? { onSent } : {}),
      timeoutMs,
      maxAnswerBytes: MAX_RESULT_BYTES,
      signal,
    });
  }

  private async toFinished({ body }: HttpAnswer): Promise<SubmitOutcome> {
    const answer = parseJson(body);
    const sources = findOutputSources(answer);
    if (sources === null) return { kind: 'unknown' };
    const seconds = isRecord(answer) ? answer['inference_time_s'] : null;
    return toFinishedSubmit(
      sources.map((source) => () => this.take(source)),
      asGpuMs(seconds, 1_000),
    );
  }

  private async take(source: OutputSource): Promise<Buffer> {
    if ('inline' in source) return decodeInlineFile(source.inline);
    const bounds = { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES };
    return this.connection.fetchFile(source.address, bounds);
  }

  /**
   * A submission without an open request is lost with its answer. While the server is down or starting, the state is
   * unreachable instead: jobs sends a lost task again once, and must not do so now.
   */
  private async stateOfTheLost(): Promise<'not_found' | 'unreachable'> {
    const answer = await this.call('GET', '/v1/models');
    return answer === null || answer.status >= 500 ? 'unreachable' : 'not_found';
  }
}

function videoIdIn(ref: UpstreamTask['ref']): string | null {
  return asUpstreamId(ref?.['video_id']);
}

export const openAiImagesType: ProviderType<OpenAiImagesSettings> = {
  type: 'openai-images',
  settings: OpenAiImagesSettings,
  create: (instance, settings, { egress, clock }) =>
    new OpenAiImagesProvider(instance, settings, DIALECT_BY_NAME[settings.dialect], egress, clock),
};
