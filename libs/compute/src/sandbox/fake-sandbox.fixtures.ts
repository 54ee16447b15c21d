import type { ServerResponse } from 'node:http';
import { drawImage } from '../conformance/files.fixtures';
import { FakeModelHost, type HostRequest, type HostedTask, type Route } from '../hosted-model/fake-model-host.fixtures';
import type { ModelInput } from '../hosted-model/received-input.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';

export const SANDBOX_CAPACITY = { concurrency: 2, interleaves: true };

/** Implements the protocol of apps/sandbox. */
export class FakeSandbox extends FakeModelHost {
  capacity = SANDBOX_CAPACITY;
  override draw = ({ received: { n, seed } }: HostedTask): Buffer[] =>
    Array.from({ length: n ?? 1 }, (_, index) => drawImage((seed ?? 0) + index, 0));
  private readonly parked = new Set<HostedTask>();
  private progress = 0;

  override begin(): void {
    this.parked.clear();
    super.begin();
  }

  /** Like the prompt directive `[[delay:3s]]`. */
  park(): void {
    for (const task of this.working()) this.parked.add(task);
  }

  report(progress: number): void {
    this.progress = progress;
  }

  protected route({ method, url }: HostRequest): Route {
    const [, , , id = '', , index] = url.pathname.split('/');
    if (method === 'PUT') return { kind: 'submit', id };
    if (method === 'DELETE') return { kind: 'cancel', id };
    return index === undefined ? { kind: 'status', id } : { kind: 'output', id, index: Number(index) };
  }

  protected override inputOf({ width, height, n = 1, images = [], ...texts }: Record<string, unknown>): ModelInput {
    const files = (images as { data: string }[]).map(({ data }) => data);
    return { ...texts, size: { width, height }, num_outputs: n, images: files } as ModelInput;
  }

  protected answerSubmit(task: HostedTask, response: ServerResponse): void {
    answerJson(response, 202, this.toTask(task));
  }

  protected answerStatus(_task: unknown, response: ServerResponse, { url }: HostRequest): void {
    if (url.pathname === '/v1/capabilities') return answerJson(response, 200, this.capacity);
    const ids = (url.searchParams.get('ids') ?? '').split(',');
    const tasks = ids.flatMap((id) => this.tasks.get(id) ?? []).map((task) => this.toTask(task));
    answerJson(response, 200, { tasks, not_found: ids.filter((id) => !this.tasks.has(id)) });
  }

  protected override answerCancel(task: HostedTask | undefined, stopped: boolean, response: ServerResponse): void {
    if (!task) return answerJson(response, 404, { error: { code: 'not_found' } });
    answerJson(response, 200, { state: task.state, stopped });
  }

  private toTask(task: HostedTask): object {
    const { id, state, outputs } = task;
    const progress = state === 'succeeded' ? 1 : this.progress;
    const files = outputs.map(() => ({ mime: 'image/png' }));
    const isParked = this.parked.has(task);
    return { id, state: this.statusWord(task, {}), parked: isParked, progress, outputs: files, gpu_ms: null };
  }
}
