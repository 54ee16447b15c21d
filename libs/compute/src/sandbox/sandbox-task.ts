import type {
  FetchOutput,
  InstanceCapacity,
  ImageTask,
  ProviderTask,
  TaskLora,
  SubmitOutcome,
  UpstreamStatus,
  VideoTask,
} from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { asProgress, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';

/** A task in the sandbox's protocol, as far as the adapter reads it. */
interface SandboxTask {
  id: string;
  state: string;
  outputs: unknown[];
  gpu_ms?: number | null;
  parked?: boolean;
  /** 0 to 1. A worker of an operator may not report it. */
  progress?: number;
}

/** The body of `PUT /v1/tasks/{id}`. */
export function toSandboxBody(task: ProviderTask): object {
  return {
    operation: task.operation,
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    width: task.width,
    height: task.height,
    seed: task.seed,
    ...(task.operation === 'video.generation' ? toVideoFields(task) : toImageFields(task)),
    ...(task.loras.length === 0 ? {} : { loras: task.loras.map(toSandboxLora) }),
    ...(task.images.length === 0 ? {} : { images: task.images.map((bytes) => ({ data: bytes.toString('base64') })) }),
  };
}

/** The protocol has no files. */
function toSandboxLora({ id, url, low_url, strength }: TaskLora): object {
  return { ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url, low_url }), strength };
}

function toImageFields({ n, steps, guidance }: ImageTask): object {
  return { n, ...(steps === undefined ? {} : { steps }), ...(guidance === undefined ? {} : { guidance }) };
}

function toVideoFields({ durationSeconds: duration, fps }: VideoTask): object {
  return { duration, fps };
}

/** The answer of `PUT /v1/tasks/{id}`. */
export function toSubmitOutcome(answer: HttpAnswer): SubmitOutcome {
  if (answer.status !== 200 && answer.status !== 202) return toRejectedSubmit(answer);
  const task = parseJson(answer.body);
  if (!isTask(task)) return { kind: 'accepted', ref: null, isRunning: false };
  return { kind: 'accepted', ref: null, isRunning: task.state === 'running', isParked: task.parked === true };
}

/** The answer of `GET /v1/tasks?ids=…`. A missing task, or one with an unknown state, is unreachable, which proves nothing. */
export function toStatuses(
  upstreamIds: string[],
  answer: unknown,
  fetchOutput: (id: string, index: number) => FetchOutput,
): Map<string, UpstreamStatus> {
  const { tasks, not_found: forgotten } = asListing(answer);
  const statuses = new Map<string, UpstreamStatus>(upstreamIds.map((id) => [id, { state: 'unreachable' }]));
  for (const task of tasks)
    if (statuses.has(task.id))
      statuses.set(
        task.id,
        toStatus(task, (index) => fetchOutput(task.id, index)),
      );
  for (const id of forgotten) if (statuses.has(id)) statuses.set(id, { state: 'not_found' });
  return statuses;
}

function toStatus(task: SandboxTask, fetchOutput: (index: number) => FetchOutput): UpstreamStatus {
  const gpuMs = Number.isSafeInteger(task.gpu_ms) ? (task.gpu_ms ?? null) : null;
  const progress = asProgress(task.progress);
  switch (task.state) {
    case 'queued':
    case 'running':
      return { state: task.state, isParked: task.parked === true, ...progress };
    case 'succeeded':
      return { state: 'succeeded', outputs: task.outputs.map((_, index) => fetchOutput(index)), gpuMs, ...progress };
    case 'failed':
      return { state: 'failed', failure: { kind: 'fatal', reason: 'the task failed' }, gpuMs };
    case 'canceled':
      return { state: 'canceled', gpuMs };
    default:
      return { state: 'unreachable' };
  }
}

/** The answer of `GET /v1/capabilities`; null for a worker that does not report its concurrency. */
export function toCapacity(answer: unknown): InstanceCapacity | null {
  const { concurrency, interleaves } = (answer ?? {}) as { concurrency?: unknown; interleaves?: unknown };
  if (!Number.isSafeInteger(concurrency) || Number(concurrency) < 1) return null;
  return { concurrency: Number(concurrency), interleaves: interleaves === true };
}

function asListing(answer: unknown): { tasks: SandboxTask[]; not_found: string[] } {
  const { tasks, not_found: forgotten } = (answer ?? {}) as { tasks?: unknown; not_found?: unknown };
  return {
    tasks: Array.isArray(tasks) ? tasks.filter(isTask) : [],
    not_found: Array.isArray(forgotten) ? forgotten.filter((id) => typeof id === 'string') : [],
  };
}

function isTask(value: unknown): value is SandboxTask {
  const { id, state, outputs } = (value ?? {}) as Partial<SandboxTask>;
  return typeof id === 'string' && typeof state === 'string' && Array.isArray(outputs);
}
