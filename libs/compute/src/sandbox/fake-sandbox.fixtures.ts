import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { drawImage, IMAGE, sendWithoutEnd, truncate } from '../conformance/files.fixtures';
import type {
  FakeBackend,
  Fault,
  TaskFailure,
  ReceivedRequest,
  ReceivedTask,
} from '../conformance/fake-backend.fixtures';

interface Task {
  state: string;
  n: number;
  seed: number;
  outputs: Buffer[];
  parked: boolean;
  progress: number;
}

/** The capacity of a sandbox with its default settings. */
export const SANDBOX_CAPACITY = { concurrency: 2, interleaves: true };

/** The body of `PUT /v1/tasks/{id}`, as far as the fake reads it. */
interface Body {
  prompt: string;
  negative_prompt: string;
  seed: number;
  width: number;
  height: number;
  n?: number;
  images?: { data: string }[];
}

/** Implements the protocol of apps/sandbox. */
export class FakeSandbox implements FakeBackend {
  capacity = SANDBOX_CAPACITY;
  readonly received: ReceivedTask[] = [];
  readonly requests: ReceivedRequest[] = [];
  private readonly tasks = new Map<string, Task>();
  private readonly faults = new Map<Fault['kind'], Fault>();
  private readonly server: Server = createServer(
    (request, response) => void this.serve(request, response).catch(() => response.destroy()),
  );

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get workingCount(): number {
    return this.working().length;
  }

  inject(fault: Fault): void {
    this.faults.set(fault.kind, fault);
  }

  begin(): void {
    for (const task of this.working()) Object.assign(task, { state: 'running', parked: false });
  }

  /** Like the prompt directive `[[delay:3s]]`. */
  park(): void {
    for (const task of this.working()) task.parked = true;
  }

  report(progress: number): void {
    for (const task of this.working()) task.progress = progress;
  }

  finish(outputs?: Buffer[]): void {
    for (const task of this.working()) {
      task.state = 'succeeded';
      task.progress = 1;
      task.outputs = outputs ?? Array.from({ length: task.n }, (_, index) => drawImage(task.seed + index, 0));
    }
  }

  end(failure: TaskFailure): void {
    for (const task of this.working()) {
      task.state = failure === 'interrupted' ? 'canceled' : failure === 'partial' ? 'succeeded' : 'failed';
      if (failure === 'partial') task.outputs = [IMAGE];
    }
  }

  restart(): void {
    this.tasks.clear();
  }

  private working(): Task[] {
    return [...this.tasks.values()].filter(({ state }) => state === 'queued' || state === 'running');
  }

  private fault<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | null {
    return (this.faults.get(kind) as Extract<Fault, { kind: Kind }> | undefined) ?? null;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '/', headers } = request;
    this.requests.push({ method, path, headers: headers as Record<string, string> });
    const body = await text(request);
    const { pathname, searchParams } = new URL(path, 'http://sandbox');
    const [, , , id = '', , index] = pathname.split('/');
    if (this.fault('lock_out')) return answer(response, 401, { error: { code: 'unauthorized' } });
    if (method === 'PUT') return this.submit(id, body, response);
    if (method === 'DELETE') return this.cancel(id, response);
    const redirect = this.fault('redirect');
    if (redirect) return void response.writeHead(302, { location: redirect.to + path }).end();
    if (index !== undefined) return this.sendOutput(this.tasks.get(id)?.outputs[Number(index)], response);
    if (this.fault('fall_silent')) return;
    if (this.fault('answer_in_html')) return void response.end('<html>Welcome</html>');
    if (pathname === '/v1/capabilities') return answer(response, 200, this.capacity);
    this.list((searchParams.get('ids') ?? '').split(','), response);
  }

  private submit(id: string, text: string, response: ServerResponse): void {
    const refusal = this.fault('refuse');
    if (refusal) return refuse(response, refusal);
    const rejection = this.fault('reject');
    if (rejection) return answer(response, rejection.status, { error: { code: 'invalid_task', message: text } });
    if (!this.tasks.has(id)) this.take(id, JSON.parse(text) as Body);
    if (this.fault('lose_answers')) return void response.destroy();
    if (this.fault('break_down')) return answer(response, 500, {});
    answer(response, 202, this.toTask(id));
  }

  private take(id: string, body: Body): void {
    const { prompt, seed, width, height, n = 1, images = [] } = body;
    const files = images.map(({ data }) => Buffer.from(data, 'base64'));
    this.received.push({ prompt, negativePrompt: body.negative_prompt, seed, width, height, n, images: files });
    this.tasks.set(id, { state: 'queued', n, seed, outputs: [], parked: false, progress: 0 });
  }

  private cancel(id: string, response: ServerResponse): void {
    const task = this.tasks.get(id);
    if (!task) return answer(response, 404, { error: { code: 'not_found' } });
    const stopped = ['queued', 'running'].includes(task.state);
    if (stopped && !this.fault('ignore_cancels')) task.state = 'canceled';
    answer(response, 200, { state: task.state, stopped });
  }

  private sendOutput(bytes: Buffer | undefined, response: ServerResponse): void {
    if (!bytes || this.fault('expire_outputs')) return answer(response, 404, { error: { code: 'not_found' } });
    response.setHeader('content-type', 'image/png');
    if (this.fault('truncate_outputs')) return truncate(response, bytes);
    if (this.fault('oversize_outputs')) return sendWithoutEnd(response);
    response.end(bytes);
  }

  private list(ids: string[], response: ServerResponse): void {
    const isKnown = (id: string): boolean => this.tasks.has(id);
    answer(response, 200, {
      tasks: ids.filter(isKnown).map((id) => this.toTask(id)),
      not_found: ids.filter((id) => !isKnown(id)),
    });
  }

  private toTask(id: string): object {
    const { state, outputs, parked, progress } = this.tasks.get(id) as Task;
    const word = this.fault('blank_status') ? null : (this.fault('say_status')?.word ?? state);
    return { id, state: word, parked, progress, outputs: outputs.map(() => ({ mime: 'image/png' })), gpu_ms: null };
  }
}

function refuse(response: ServerResponse, { status, retryAfterSeconds }: Extract<Fault, { kind: 'refuse' }>): void {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  answer(response, status, { error: { code: 'capacity' } });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
