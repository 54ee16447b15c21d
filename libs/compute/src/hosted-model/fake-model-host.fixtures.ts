import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { drawImage, IMAGE, sendWithoutEnd, truncate } from '../conformance/files.fixtures';
import type { FakeBackend, ReceivedTask, TaskFailure } from '../conformance/fake-backend.fixtures';
import { answerJson, FaultyServer, type ReceivedHttpRequest } from '../http/fake-http-server.fixtures';
import { type ModelInput, toReceivedTask } from './received-input.fixtures';

export interface HostedTask {
  id: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  problem: TaskFailure | 'content_rejected' | null;
  received: ReceivedTask;
  outputs: Buffer[];
  /** The whole body of the submission, where it is JSON. */
  body: Record<string, unknown>;
}

export type Route =
  | { kind: 'submit'; id?: string }
  | { kind: 'status' | 'cancel'; id: string }
  | { kind: 'output'; id: string; index: number }
  | { kind: 'other' };

export interface HostRequest extends ReceivedHttpRequest {
  url: URL;
}

/** The common part of the fakes of hosted models: tasks are submitted, polled, canceled and fetched, and all faults. */
export abstract class FakeModelHost extends FaultyServer implements FakeBackend {
  draw: (task: HostedTask) => Buffer[] = drawBatch;
  readonly tasks = new Map<string, HostedTask>();
  /** Requests that are answered when their task ends, by the task's id. */
  protected readonly open = new Map<string, ServerResponse>();
  /** Whether a task stops when its open request is closed. */
  stopsWhenLeft = true;

  get workingCount(): number {
    return this.working().length;
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
    for (const response of this.open.values()) response.destroy();
  }

  protected abstract route(request: HostRequest): Route;
  protected abstract answerSubmit(task: HostedTask, response: ServerResponse): void;
  protected abstract answerStatus(task: HostedTask | undefined, response: ServerResponse, request: HostRequest): void;

  /** The part of a submission's body that the model receives. */
  protected inputOf(body: Record<string, unknown>): ModelInput {
    return body['input'] as ModelInput;
  }

  /** The body of a submission, and the task in it; null for one that the host refuses as invalid. */
  protected async read({ body: bytes }: HostRequest): Promise<Pick<HostedTask, 'body' | 'received'> | null> {
    const body = JSON.parse(bytes.toString()) as HostedTask['body'];
    return { body, received: toReceivedTask(this.inputOf(body)) };
  }

  protected nextId(): string {
    return randomUUID();
  }

  protected answerCancel(task: HostedTask | undefined, _stopped: boolean, response: ServerResponse): void {
    this.answerStatus(task, response, { url: new URL(this.url) } as HostRequest);
  }

  protected answerOther(_request: HostRequest, response: ServerResponse): void {
    answerJson(response, 404, { detail: 'Not found' });
  }

  /** For hosts that answer a submission when the task ends. */
  protected ended(_task: HostedTask): void {}

  protected hold(task: HostedTask, response: ServerResponse): void {
    this.open.set(task.id, response);
    response.once('close', () => {
      if (this.open.delete(task.id) && this.stopsWhenLeft && isWorking(task)) task.state = 'canceled';
    });
  }

  protected statusWord(task: HostedTask, words: Partial<Record<HostedTask['state'], string>>): string | null {
    return this.fault('blank_status') ? null : (this.fault('say_status')?.word ?? words[task.state] ?? task.state);
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

  protected working(): HostedTask[] {
    return [...this.tasks.values()].filter(isWorking);
  }

  protected answer(received: ReceivedHttpRequest, response: ServerResponse): void {
    if (this.fault('lock_out')) return answerJson(response, 401, { detail: 'Unauthenticated' });
    const request = { ...received, url: new URL(received.path, this.url) };
    const route = toOutputRoute(request) ?? this.route(request);
    const redirect = this.fault('redirect');
    if (redirect && (route.kind === 'status' || route.kind === 'output'))
      return void response.writeHead(302, { location: redirect.to + request.path }).end();
    if (route.kind === 'submit') return void this.submit(route.id, request, response);
    if (route.kind === 'output') return this.sendOutput(this.tasks.get(route.id)?.outputs[route.index], response);
    if (route.kind === 'cancel') return this.cancel(this.tasks.get(route.id), response);
    if (route.kind === 'other') return this.answerOther(request, response);
    if (!this.isAway(response)) this.answerStatus(this.tasks.get(route.id), response, request);
  }

  private async submit(ownId: string | undefined, request: HostRequest, response: ServerResponse): Promise<void> {
    const refusal = this.fault('refuse');
    if (refusal) {
      if (refusal.retryAfterSeconds !== undefined) response.setHeader('retry-after', refusal.retryAfterSeconds);
      return answerJson(response, refusal.status, { detail: 'Busy' });
    }
    const rejection = this.fault('reject');
    const detail = [{ msg: request.body.toString(), loc: ['body'], type: 'x' }];
    if (rejection) return answerJson(response, rejection.status, { detail });
    const id = ownId ?? this.nextId();
    const task = this.tasks.get(id) ?? (await this.take(id, request));
    if (!task) return answerJson(response, 422, { detail });
    if (this.fault('lose_answers')) return void response.destroy();
    if (this.fault('break_down')) return void response.writeHead(500).end('Internal Server Error');
    this.answerSubmit(task, response);
  }

  private async take(id: string, request: HostRequest): Promise<HostedTask | null> {
    const read = await this.read(request);
    if (!read) return null;
    this.received.push(read.received);
    const task: HostedTask = { id, state: 'queued', problem: null, outputs: [], ...read };
    this.tasks.set(id, task);
    return task;
  }

  private cancel(task: HostedTask | undefined, response: ServerResponse): void {
    const stopped = task !== undefined && isWorking(task);
    if (stopped && !this.fault('ignore_cancels')) {
      task.state = 'canceled';
      this.ended(task);
    }
    this.answerCancel(task, stopped, response);
  }

  private sendOutput(bytes: Buffer | undefined, response: ServerResponse): void {
    if (!bytes || this.fault('expire_outputs')) return answerJson(response, 404, { detail: 'Not found' });
    response.setHeader('content-type', 'application/octet-stream');
    if (this.fault('truncate_outputs')) return truncate(response, bytes);
    if (this.fault('oversize_outputs')) return sendWithoutEnd(response);
    response.end(bytes);
  }
}

function isWorking({ state }: HostedTask): boolean {
  return state === 'queued' || state === 'running';
}

/** One seed draws all images. */
export function drawBatch({ received: { n, seed } }: HostedTask): Buffer[] {
  return Array.from({ length: n ?? 1 }, (_, place) => drawImage(seed ?? 0, place));
}

function toOutputRoute({ url }: HostRequest): Route | null {
  const [, id, index] = /^\/outputs\/([\w-]+)\/(\d+)\.png$/.exec(url.pathname) ?? [];
  return id === undefined ? null : { kind: 'output', id, index: Number(index) };
}
