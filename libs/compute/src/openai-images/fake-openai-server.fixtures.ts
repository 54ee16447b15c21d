import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CLIP, drawImage, IMAGE, sendWithoutEnd, truncate } from '../conformance/files.fixtures';
import type {
  FakeBackend,
  Fault,
  TaskFailure,
  ReceivedRequest,
  ReceivedTask,
} from '../conformance/fake-backend.fixtures';
import { answerJson, FakeHttpServer, type ReceivedHttpRequest } from '../http/fake-http-server.fixtures';
import { readSubmission } from './fake-openai-submission.fixtures';
import type { DialectName } from './openai-images-settings';

interface Task {
  id: string;
  status: string;
  received: ReceivedTask;
  /** The open request of work whose answer is the result. */
  response: ServerResponse | null;
  outputs: Buffer[];
  error: object | null;
}

const OUT_OF_MEMORY = 'CUDA out of memory. Tried to allocate 2.00 GiB.';
const REJECTED = { error: { message: 'Blocked.', type: 'invalid_request_error', code: 'content_policy_violation' } };

/** The HTTP API of vLLM-Omni, SGLang or LocalAI. */
export class FakeOpenAiServer implements FakeBackend {
  /** The video id that replaces the real one in the answer to a cancel. */
  knownId: string | null = null;
  /** A release of SGLang without a cancel request, which only deletes the record. */
  isOld = false;
  /** Replaces the last entry of an answer by a text that is not base64. */
  breakEntry = false;
  readonly received: ReceivedTask[] = [];
  private readonly tasks = new Map<string, Task>();
  private readonly faults = new Map<Fault['kind'], Fault>();
  private progress = 0;

  private constructor(
    private readonly dialect: DialectName,
    private readonly server: FakeHttpServer,
  ) {}

  static async start(dialect: DialectName): Promise<FakeOpenAiServer> {
    const server = await FakeHttpServer.start((request, response) => void fake.serve(request, response));
    const fake = new FakeOpenAiServer(dialect, server);
    return fake;
  }

  get url(): string {
    return this.server.url;
  }

  get requests(): ReceivedRequest[] {
    return this.server.requests as ReceivedRequest[];
  }

  get workingCount(): number {
    return this.working().length;
  }

  inject(fault: Fault): void {
    this.faults.set(fault.kind, fault);
  }

  begin(): void {
    for (const task of this.working()) task.status = 'in_progress';
  }

  /** In percent, as these servers report it. */
  report(part: number): void {
    this.progress = part * 100;
  }

  finish(outputs?: Buffer[]): void {
    for (const task of this.working()) {
      const { seed, n } = task.received;
      const own = (place: number): Buffer => (task.response ? drawImage(seed ?? 0, place) : CLIP);
      task.outputs = outputs ?? Array.from({ length: n ?? 1 }, (_, place) => own(place));
      if (this.faults.has('reject_content')) this.fail(task, REJECTED, 400);
      else this.complete(task);
    }
  }

  end(failure: TaskFailure): void {
    for (const task of this.working()) {
      if (failure === 'partial') {
        task.outputs = [IMAGE];
        this.complete(task);
      } else if (failure === 'interrupted') task.status = 'cancelled';
      else {
        const message = failure === 'out_of_memory' ? OUT_OF_MEMORY : `Failed on ${String(task.received.prompt)}`;
        this.fail(task, { error: { message, type: 'server_error', code: null } }, 500);
      }
    }
  }

  restart(): void {
    for (const { response } of this.tasks.values()) response?.destroy();
    this.tasks.clear();
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  private working(): Task[] {
    return [...this.tasks.values()].filter(({ status }) => status === 'queued' || status === 'in_progress');
  }

  private fault<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | null {
    return (this.faults.get(kind) as Extract<Fault, { kind: Kind }> | undefined) ?? null;
  }

  private async serve(request: ReceivedHttpRequest, response: ServerResponse): Promise<void> {
    const { method, path } = request;
    const [, , , id = '', part] = path.split('/');
    if (this.fault('lock_out')) return answerJson(response, 401, { error: 'Unauthorized' });
    if (['/health', '/readyz', '/v1/models'].includes(path)) return answerJson(response, 200, { data: [] });
    if (method === 'POST' && part !== 'cancel') return this.submit(request, response);
    const redirect = this.fault('redirect');
    if (redirect) return void response.writeHead(302, { location: redirect.to + path }).end();
    if (method === 'GET' && part !== 'content' && this.misleads(response)) return;
    const task = this.tasks.get(id);
    if (!task) return answerJson(response, 404, { detail: 'Video not found' });
    if (part === 'content') return this.sendVideo(task, response);
    if (part === 'cancel') return this.cancel(task, response);
    if (method === 'DELETE') return this.delete(task, response);
    answerJson(response, 200, this.toVideo(task));
  }

  private misleads(response: ServerResponse): boolean {
    if (this.fault('fall_silent')) return true;
    if (!this.fault('answer_in_html')) return false;
    response.end('<html>Welcome</html>');
    return true;
  }

  private async submit(request: ReceivedHttpRequest, response: ServerResponse): Promise<void> {
    const refusal = this.fault('refuse');
    if (refusal) {
      if (refusal.retryAfterSeconds !== undefined) response.setHeader('retry-after', refusal.retryAfterSeconds);
      return answerJson(response, refusal.status, { detail: 'Too many requests' });
    }
    const rejection = this.fault('reject');
    const detail = [{ loc: ['body', 'prompt'], msg: request.body.toString(), type: 'value_error' }];
    if (rejection) return answerJson(response, rejection.status, { detail });
    const received = await readSubmission(this.dialect, request);
    if (!received) return answerJson(response, 422, { detail: 'Expected a form' });
    this.received.push(received);
    const isVideoJob = request.path === '/v1/videos';
    const id = `video_gen_${randomBytes(8).toString('hex')}`;
    const task = { id, status: 'queued', received, response: isVideoJob ? null : response, outputs: [], error: null };
    this.tasks.set(id, task);
    response.on('close', () => {
      if (task.response && task.status === 'queued') task.status = 'cancelled';
    });
    if (this.fault('lose_answers')) return void response.destroy();
    // FastAPI's answer for an uncaught exception.
    if (this.fault('break_down')) return void response.writeHead(500).end('Internal Server Error');
    if (isVideoJob) answerJson(response, 200, this.toVideo(task));
  }

  private complete(task: Task): void {
    task.status = 'completed';
    if (!task.response) return;
    const paths = this.fault('name_server_paths') ? { file_path: '/etc/passwd', url: null } : {};
    const data = task.outputs.map((bytes) => ({ b64_json: bytes.toString('base64'), ...paths }));
    if (this.breakEntry) Object.assign(data.at(-1) ?? {}, { b64_json: 'no base64' });
    const answer = Buffer.from(JSON.stringify({ created: 1, data, inference_time_s: 1.5 }));
    if (this.fault('truncate_outputs')) truncate(task.response, answer);
    else if (this.fault('oversize_outputs')) sendWithoutEnd(task.response);
    else task.response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  private fail(task: Task, answer: object, status: number): void {
    task.status = 'failed';
    task.error = answer;
    if (task.response) answerJson(task.response, status, answer);
  }

  private sendVideo({ status, outputs: [bytes] }: Task, response: ServerResponse): void {
    if (!bytes || status !== 'completed' || this.fault('expire_outputs'))
      return answerJson(response, 404, { detail: 'Generation is still in progress' });
    if (this.fault('truncate_outputs')) return truncate(response, bytes);
    if (this.fault('oversize_outputs')) return sendWithoutEnd(response);
    response.end(bytes);
  }

  private cancel(task: Task, response: ServerResponse): void {
    if (this.dialect !== 'sglang' || this.isOld) return answerJson(response, 405, { detail: 'Method Not Allowed' });
    const isOpen = task.status === 'queued' || task.status === 'in_progress';
    if (isOpen && !this.fault('ignore_cancels')) task.status = 'cancelled';
    const video = { ...this.toVideo(task), ...(this.knownId === null ? {} : { id: this.knownId }) };
    answerJson(response, 200, isOpen && this.fault('ignore_cancels') ? { ...video, status: 'cancelling' } : video);
  }

  private delete(task: Task, response: ServerResponse): void {
    this.tasks.delete(task.id);
    answerJson(response, 200, { id: task.id, deleted: true, object: 'video.deleted' });
  }

  private toVideo({ id, status, error, received }: Task): object {
    const word = this.fault('blank_status') ? null : (this.fault('say_status')?.word ?? status);
    const skewS = (this.fault('skew_clock')?.byMs ?? 0) / 1_000;
    const createdAt = Math.floor(Date.now() / 1_000 + skewS);
    const size = `${received.width}x${received.height}`;
    return {
      id,
      object: 'video',
      status: word,
      progress: status === 'completed' ? 100 : this.progress,
      created_at: createdAt,
      size,
      inference_time_s: 4.2,
      ...error,
    };
  }
}
