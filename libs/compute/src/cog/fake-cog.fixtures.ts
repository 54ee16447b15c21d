import type { ServerResponse } from 'node:http';
import { FakeModelHost, type HostRequest, type HostedTask, type Route } from '../hosted-model/fake-model-host.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';

const PROBLEMS: Record<string, string> = {
  out_of_memory: 'CUDA out of memory. Tried to allocate 2.00 GiB',
  content_rejected: 'NSFW content detected in all outputs',
};

const INPUT_FIELDS = [
  'prompt',
  'negative_prompt',
  'seed',
  'size',
  'num_outputs',
  'steps',
  'images',
  'image',
  'num_frames',
];

/**
 * Implements the HTTP API of a container that Cog built, without `Prefer: respond-async`: the answer comes when the work ends.
 */
export class FakeCog extends FakeModelHost {
  health = 'READY';
  inputFields = [...INPUT_FIELDS, 'guidance', 'fps'];
  /** Predictions that run at once; above this number the fake answers 409. */
  slots = Infinity;
  /** The task id that replaces the real one in every result. */
  knownId: string | null = null;

  protected route({ method, url }: HostRequest): Route {
    const [, id, cancel] = /^\/predictions\/([a-z2-7]{26})(\/cancel)?$/.exec(url.pathname) ?? [];
    if (id === undefined) return { kind: 'other' };
    if (cancel !== undefined) return { kind: 'cancel', id };
    const isFull = this.workingCount >= this.slots && !this.tasks.has(id);
    return method === 'PUT' && !isFull ? { kind: 'submit', id } : { kind: 'other' };
  }

  protected answerSubmit(task: HostedTask, response: ServerResponse): void {
    if (this.open.has(task.id)) return answerJson(response, 202, { id: task.id, status: 'processing' });
    this.hold(task, response);
  }

  protected override ended(task: HostedTask): void {
    const response = this.open.get(task.id);
    this.open.delete(task.id);
    // An id that is no longer used makes a new prediction.
    this.tasks.delete(task.id);
    if (response) answerJson(response, 200, this.toPrediction(task));
  }

  protected answerStatus(_task: HostedTask | undefined, response: ServerResponse): void {
    answerJson(response, 404, { detail: 'Not Found' });
  }

  protected override answerCancel(task: HostedTask | undefined, _stopped: boolean, response: ServerResponse): void {
    answerJson(response, task ? 200 : 404, {});
  }

  protected override answerOther({ method, url }: HostRequest, response: ServerResponse): void {
    if (method === 'PUT') return answerJson(response, 409, { detail: 'Already running a prediction' });
    if (this.isAway(response)) return;
    if (url.pathname === '/health-check')
      return answerJson(response, 200, { status: this.health, version: { coglet: '0.17.0', cog: '0.16.2' } });
    if (url.pathname !== '/openapi.json') return answerJson(response, 404, { detail: 'Not Found' });
    const properties = Object.fromEntries(this.inputFields.map((name) => [name, {}]));
    answerJson(response, 200, { components: { schemas: { Input: { properties, required: ['prompt'] } } } });
  }

  private toPrediction(task: HostedTask): object {
    const files = this.fault('expire_outputs') ? [] : task.outputs;
    return {
      id: this.knownId ?? task.id,
      input: task.body['input'],
      status: task.state,
      output: files.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`),
      error:
        task.state === 'failed'
          ? (PROBLEMS[task.problem ?? 'error'] ?? `Could not draw ${this.inputOf(task.body).prompt}`)
          : null,
      metrics: { predict_time: 1.25 },
    };
  }
}
