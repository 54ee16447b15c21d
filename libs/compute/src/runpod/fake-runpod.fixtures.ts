import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { FakeModelHost, type HostRequest, type HostedTask, type Route } from '../hosted-model/fake-model-host.fixtures';
import type { ModelInput } from '../hosted-model/received-input.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';

const PATH = '/v2/endpoint';

const WORDS = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  canceled: 'CANCELLED',
} as const;

const PROBLEMS: Record<string, string> = {
  error: 'list index out of range',
  out_of_memory: 'CUDA out of memory. Tried to allocate 2.00 GiB',
  content_rejected: 'NSFW content detected.',
};

/** RunPod's queue of one endpoint, with a worker whose output `shapeOutput` makes. */
export class FakeRunpod extends FakeModelHost {
  /** The output of a job, from the addresses of its files. */
  shapeOutput: (urls: string[], task: HostedTask) => unknown = (urls) => ({ images: urls });
  /** The job id that replaces the real one in the answer to a cancel. */
  knownId: string | null = null;
  /** Extracts the model input, for workers with an input format of their own. */
  readInput: (input: Record<string, unknown>) => ModelInput = (input) => input;

  override async start(): Promise<string> {
    return (await super.start()) + PATH;
  }

  protected route({ method, url }: HostRequest): Route {
    const [, verb, id] = /^\/v2\/endpoint\/(run|status|cancel|health)(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
    if (verb === 'run' && method === 'POST') return { kind: 'submit' };
    if (verb === 'status' && id !== undefined) return { kind: 'status', id };
    return verb === 'cancel' && id !== undefined && method === 'POST' ? { kind: 'cancel', id } : { kind: 'other' };
  }

  protected override inputOf(body: Record<string, unknown>): ModelInput {
    return this.readInput(body['input'] as Record<string, unknown>);
  }

  protected override nextId(): string {
    return `${randomUUID()}-u1`;
  }

  protected answerSubmit({ id }: HostedTask, response: ServerResponse): void {
    answerJson(response, 200, { id, status: 'IN_QUEUE' });
  }

  protected answerStatus(task: HostedTask | undefined, response: ServerResponse): void {
    const isOver = task && !['queued', 'running'].includes(task.state);
    if (!task || (isOver && this.fault('expire_outputs'))) return answerJson(response, 404, { error: 'job not found' });
    answerJson(response, 200, this.toJob(task));
  }

  protected override answerCancel(task: HostedTask | undefined, _stopped: boolean, response: ServerResponse): void {
    if (!task) return answerJson(response, 404, { error: 'job not found' });
    answerJson(response, 200, { id: this.knownId ?? task.id, status: 'CANCELLED' });
  }

  protected override answerOther({ url }: HostRequest, response: ServerResponse): void {
    if (url.pathname !== `${PATH}/health`) return answerJson(response, 404, { error: 'not found' });
    answerJson(response, 200, {
      jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 1, running: 0 },
    });
  }

  private toJob(task: HostedTask): object {
    const { id, problem } = task;
    const isResultError = problem === 'result_is_error';
    const word = this.statusWord(isResultError ? { ...task, state: 'succeeded' } : task, WORDS);
    const times = { delayTime: 100, executionTime: 2_500 };
    if (isResultError) return { id, status: word, ...times, output: { error: 'Failed to queue the prompt.' } };
    if (task.state === 'failed')
      return { id, status: word, ...times, error: PROBLEMS[problem ?? 'error'] ?? PROBLEMS['error'] };
    if (task.state !== 'succeeded') return { id, status: word };
    return { id, status: word, ...times, output: this.shapeOutput(this.outputUrls(task), task) };
  }
}
