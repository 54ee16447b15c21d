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
import { type ModelInput, toReceivedTask } from './received-input.fixtures';

export interface HostedTask {
  id: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  /** The failure of the task. */
  problem: TaskFailure | 'content_rejected' | null;
  n: number;
  seed: number;
  outputs: Buffer[];
  /** The whole body of the submission. */
  body: Record<string, unknown>;
}

/** The purpose of a request. */
export type Route =
  | { kind: 'submit'; id?: string }
  | { kind: 'status' | 'cancel'; id: string }
  | { kind: 'output'; id: string; index: number }
  | { kind: 'other' };

export interface HostRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
}

/** The common part of the fakes of hosted models: tasks are submitted, polled, canceled and fetched, and all faults. */
export abstract class FakeModelHost implements FakeBackend {
  /** The outputs of the model for a task. */
  draw: (task: HostedTask) => Buffer[] = drawBatch;
  readonly received: ReceivedTask[] = [];
  readonly requests: ReceivedRequest[] = [];
  readonly tasks = new Map<string, HostedTask>();
  private readonly faults = new Map<Fault['kind'], Fault>();
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));
  url = '';

  /** Returns the instance's URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this.url;
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

  /** Clears all faults. */
  heal(): void {
    this.faults.clear();
  }

  begin(): void {
    for (const task of this.working()) task.state = 'running';
  }

  finish(outputs?: Buffer[]): void {
    for (const task of this.working()) {
      if (this.fault('reject_content')) Object.assign(task, { state: 'failed', problem: 'content_rejected' });
      else Object.assign(task, { state: 'succeeded', outputs: outputs ?? this.draw(task) });
      this.ended(task);
    }
  }

  end(failure: TaskFailure): void {
    const states = { interrupted: 'canceled', partial: 'succeeded' } as const;
    for (const task of this.working()) {
      task.state = failure === 'interrupted' || failure === 'partial' ? states[failure] : 'failed';
      task.problem = failure;
      if (failure === 'partial') task.outputs = [IMAGE];
      this.ended(task);
    }
  }

  restart(): void {
    this.tasks.clear();
  }

  protected abstract route(request: HostRequest): Route;
  /** The part of a submission's body that the model receives. */
  protected abstract inputOf(body: Record<string, unknown>): ModelInput;
  protected abstract nextId(): string;
  protected abstract answerSubmit(task: HostedTask, response: ServerResponse): void;
  protected abstract answerStatus(task: HostedTask | undefined, response: ServerResponse, request: HostRequest): void;
  protected abstract answerCancel(task: HostedTask | undefined, stopped: boolean, response: ServerResponse): void;
  protected abstract answerOther(request: HostRequest, response: ServerResponse): void;
  /** For hosts that answer a submission when the task ends. */
  protected ended(_task: HostedTask): void {}

  protected fault<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | null {
    return (this.faults.get(kind) as Extract<Fault, { kind: Kind }> | undefined) ?? null;
  }

  /** The status word in the host's answer. */
  protected statusWord(task: HostedTask, words: Record<HostedTask['state'], string>): string | null {
    return this.fault('blank_status') ? null : (this.fault('say_status')?.word ?? words[task.state]);
  }

  protected outputUrls({ id, outputs }: HostedTask): string[] {
    return outputs.map((_, index) => `${this.url}/outputs/${id}/${index}.png`);
  }

  protected isAway(response: ServerResponse): boolean {
    if (this.fault('fall_silent')) return true;
    if (!this.fault('answer_in_html')) return false;
    response.end('<html>Welcome</html>');
    return true;
  }

  private working(): HostedTask[] {
    return [...this.tasks.values()].filter(({ state }) => state === 'queued' || state === 'running');
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '/' } = incoming;
    const headers = incoming.headers as Record<string, string>;
    this.requests.push({ method, path, headers });
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    if (this.fault('lock_out')) return answerJson(response, 401, { detail: 'Unauthenticated' });
    const request = { method, url: new URL(path, this.url), headers };
    const route = toOutputRoute(request) ?? this.route(request);
    const redirect = this.fault('redirect');
    if (redirect && (route.kind === 'status' || route.kind === 'output'))
      return void response.writeHead(302, { location: redirect.to + path }).end();
    if (route.kind === 'submit') return this.submit(route.id, body, response);
    if (route.kind === 'output') return this.sendOutput(this.tasks.get(route.id)?.outputs[route.index], response);
    if (route.kind === 'cancel') return this.cancel(this.tasks.get(route.id), response);
    if (route.kind === 'other') return this.answerOther(request, response);
    if (!this.isAway(response)) this.answerStatus(this.tasks.get(route.id), response, request);
  }

  private submit(ownId: string | undefined, text: string, response: ServerResponse): void {
    const refusal = this.fault('refuse');
    if (refusal) {
      if (refusal.retryAfterSeconds !== undefined) response.setHeader('retry-after', refusal.retryAfterSeconds);
      return answerJson(response, refusal.status, { detail: 'Busy' });
    }
    const rejection = this.fault('reject');
    if (rejection) return answerJson(response, rejection.status, { detail: [{ msg: text, loc: ['body'], type: 'x' }] });
    const id = ownId ?? this.nextId();
    const known = this.tasks.get(id);
    const task = known ?? this.take(id, JSON.parse(text) as Record<string, unknown>);
    if (this.fault('lose_answers')) return void response.destroy();
    if (this.fault('break_down')) return answerJson(response, 500, {});
    this.answerSubmit(task, response);
  }

  private take(id: string, body: Record<string, unknown>): HostedTask {
    const received = toReceivedTask(this.inputOf(body));
    this.received.push(received);
    const task: HostedTask = {
      id,
      state: 'queued',
      problem: null,
      n: received.n ?? 1,
      seed: received.seed ?? 0,
      outputs: [],
      body,
    };
    this.tasks.set(id, task);
    return task;
  }

  private cancel(task: HostedTask | undefined, response: ServerResponse): void {
    const isWorking = task?.state === 'queued' || task?.state === 'running';
    if (task && isWorking && !this.fault('ignore_cancels')) {
      task.state = 'canceled';
      this.ended(task);
    }
    this.answerCancel(task, isWorking, response);
  }

  private sendOutput(bytes: Buffer | undefined, response: ServerResponse): void {
    if (!bytes || this.fault('expire_outputs')) return answerJson(response, 404, { detail: 'Not found' });
    response.setHeader('content-type', 'application/octet-stream');
    if (this.fault('truncate_outputs')) return truncate(response, bytes);
    if (this.fault('oversize_outputs')) return sendWithoutEnd(response);
    response.end(bytes);
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** One seed draws all images. */
function drawBatch({ n, seed }: HostedTask): Buffer[] {
  return Array.from({ length: n }, (_, place) => drawImage(seed, place));
}

function toOutputRoute({ url }: HostRequest): Route | null {
  const [, id, index] = /^\/outputs\/([\w-]+)\/(\d+)\.png$/.exec(url.pathname) ?? [];
  return id === undefined ? null : { kind: 'output', id, index: Number(index) };
}
