import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CLIP, sendWithoutEnd, truncate } from '../conformance/files.fixtures';
import {
  drawBatch,
  FakeModelHost,
  type HostRequest,
  type HostedTask,
  type Route,
} from '../hosted-model/fake-model-host.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';
import { readSubmission } from './fake-openai-submission.fixtures';
import type { DialectName } from './openai-images-settings';

const WORDS = { running: 'in_progress', succeeded: 'completed', canceled: 'cancelled' };
const OUT_OF_MEMORY = 'CUDA out of memory. Tried to allocate 2.00 GiB.';
const REJECTED = { error: { message: 'Blocked.', type: 'invalid_request_error', code: 'content_policy_violation' } };

/** The HTTP API of vLLM-Omni, SGLang or LocalAI. */
export class FakeOpenAiServer extends FakeModelHost {
  /** The video id that replaces the real one in the answer to a cancel. */
  knownId: string | null = null;
  /** A release of SGLang without a cancel request, which only deletes the record. */
  isOld = false;
  /** Replaces the last entry of an answer by a text that is not base64. */
  breakEntry = false;
  override draw = (task: HostedTask): Buffer[] => (this.open.has(task.id) ? drawBatch(task) : [CLIP]);
  private progress = 0;

  private constructor(private readonly dialect: DialectName) {
    super();
  }

  static async start(dialect: DialectName): Promise<FakeOpenAiServer> {
    const fake = new FakeOpenAiServer(dialect);
    await fake.start();
    return fake;
  }

  /** In percent, as these servers report it. */
  report(part: number): void {
    this.progress = part * 100;
  }

  protected route({ method, path }: HostRequest): Route {
    const [, , , id = '', part] = path.split('/');
    if (part === 'cancel') return { kind: this.dialect === 'sglang' && !this.isOld ? 'cancel' : 'other', id };
    if (method === 'POST') return { kind: 'submit' };
    if (part === 'content') return { kind: 'output', id, index: 0 };
    const isVideo = path.startsWith('/v1/videos/') && method === 'GET';
    return isVideo ? { kind: 'status', id } : { kind: 'other' };
  }

  protected override async read(request: HostRequest) {
    const received = await readSubmission(this.dialect, request);
    return received && { received, body: { path: request.path } };
  }

  protected override nextId(): string {
    return `video_gen_${randomBytes(8).toString('hex')}`;
  }

  protected answerSubmit(task: HostedTask, response: ServerResponse): void {
    if (task.body['path'] === '/v1/videos') answerJson(response, 200, this.toVideo(task));
    else this.hold(task, response);
  }

  protected answerStatus(task: HostedTask | undefined, response: ServerResponse): void {
    if (!task) return answerJson(response, 404, { detail: 'Video not found' });
    answerJson(response, 200, this.toVideo(task));
  }

  protected override answerCancel(task: HostedTask | undefined, stopped: boolean, response: ServerResponse): void {
    if (!task) return this.answerStatus(task, response);
    const status = stopped && this.fault('ignore_cancels') ? { status: 'cancelling' } : {};
    answerJson(response, 200, { ...this.toVideo(task), id: this.knownId ?? task.id, ...status });
  }

  protected override answerOther({ method, path }: HostRequest, response: ServerResponse): void {
    const [, , , id = '', part] = path.split('/');
    if (part === 'cancel') return answerJson(response, 405, { detail: 'Method Not Allowed' });
    if (method !== 'DELETE') return answerJson(response, 200, { data: [] });
    if (!this.tasks.delete(id)) return answerJson(response, 404, { detail: 'Video not found' });
    answerJson(response, 200, { id, deleted: true, object: 'video.deleted' });
  }

  protected override ended(task: HostedTask): void {
    const response = this.open.get(task.id);
    if (!response || task.state === 'canceled') return;
    this.open.delete(task.id);
    if (task.state === 'succeeded') return this.sendResult(task, response);
    answerJson(response, task.problem === 'content_rejected' ? 400 : 500, errorOf(task));
  }

  private sendResult({ outputs }: HostedTask, response: ServerResponse): void {
    const paths = this.fault('name_server_paths') ? { file_path: '/etc/passwd', url: null } : {};
    const data = outputs.map((bytes) => ({ b64_json: bytes.toString('base64'), ...paths }));
    if (this.breakEntry) Object.assign(data.at(-1) ?? {}, { b64_json: 'no base64' });
    const answer = Buffer.from(JSON.stringify({ created: 1, data, inference_time_s: 1.5 }));
    if (this.fault('truncate_outputs')) truncate(response, answer);
    else if (this.fault('oversize_outputs')) sendWithoutEnd(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  private toVideo(task: HostedTask): object {
    const { id, state, received } = task;
    return {
      id,
      object: 'video',
      status: this.statusWord(task, WORDS),
      progress: state === 'succeeded' ? 100 : this.progress,
      created_at: Math.floor((Date.now() + (this.fault('skew_clock')?.byMs ?? 0)) / 1_000),
      size: `${received.width}x${received.height}`,
      inference_time_s: 4.2,
      ...(state === 'failed' && errorOf(task)),
    };
  }
}

function errorOf({ problem, received }: HostedTask): object {
  if (problem === 'content_rejected') return REJECTED;
  const message = problem === 'out_of_memory' ? OUT_OF_MEMORY : `Failed on ${received.prompt}`;
  return { error: { message, type: 'server_error', code: null } };
}
