import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallbackRequest } from '../compute-provider.port';
import { FakeModelHost, type HostRequest, type HostedTask, type Route } from '../hosted-model/fake-model-host.fixtures';
import type { ModelInput } from '../hosted-model/received-input.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';

export const WEBHOOK_SECRET = `whsec_${Buffer.from('a webhook secret of replicate').toString('base64')}`;

const WORDS = { queued: 'starting', running: 'processing' };

const PROBLEMS: Record<string, string> = {
  out_of_memory: 'CUDA out of memory. Tried to allocate 2.00 GiB',
  content_rejected: 'NSFW content detected. Try running it again, or try a different prompt.',
};

/** Implements the HTTP API of Replicate below /v1. */
export class FakeReplicate extends FakeModelHost {
  pageSize = 100;
  /** Answers throttled submissions with Replicate's message, without a header. */
  throttledForSeconds: number | null = null;
  /** Whether the answer contains the callback address of a prediction. */
  sendsWebhooks = true;
  /** Called between the work and its answer. */
  beforeAnswer: ((task: HostedTask) => Promise<unknown>) | null = null;
  /** Makes the output of a prediction from its files. */
  shapeOutput: (urls: string[]) => unknown = (urls) => urls;

  override async start(): Promise<string> {
    return `${await super.start()}/v1`;
  }

  protected route({ method, url }: HostRequest): Route {
    const [, id, verb] = /^\/v1\/predictions\/([\w-]+)(\/cancel)?$/.exec(url.pathname) ?? [];
    if (id !== undefined) return { kind: verb === undefined ? 'status' : 'cancel', id };
    const isSubmit = /^\/v1(\/models\/[\w-]+\/[\w.-]+)?\/predictions$/.test(url.pathname) && method === 'POST';
    return { kind: isSubmit && this.throttledForSeconds === null ? 'submit' : 'other' };
  }

  protected override nextId(): string {
    return randomBytes(13).toString('hex');
  }

  protected answerSubmit(task: HostedTask, response: ServerResponse): void {
    const answer = (): void => answerJson(response, 201, this.toPrediction(task));
    if (this.beforeAnswer) void this.beforeAnswer(task).then(answer);
    else answer();
  }

  protected answerStatus(task: HostedTask | undefined, response: ServerResponse): void {
    if (!task) return answerJson(response, 404, { detail: 'Not found', status: 404 });
    answerJson(response, 200, this.toPrediction(task));
  }

  protected override answerOther({ method, url }: HostRequest, response: ServerResponse): void {
    if (url.pathname === '/v1/account') return answerJson(response, 200, { type: 'user', username: 'kinora' });
    if (url.pathname === '/v1/predictions' && method === 'GET') return this.list(url, response);
    const detail = `Request was throttled. Your rate limit resets in ~${this.throttledForSeconds}s.`;
    if (method === 'POST' && this.throttledForSeconds !== null) return answerJson(response, 429, { detail });
    answerJson(response, 404, { detail: 'Not found' });
  }

  /** A callback about a prediction, signed for each of the secrets. */
  callback(prediction: object, secrets = [WEBHOOK_SECRET], atMs = Date.now()): CallbackRequest {
    const body = Buffer.from(JSON.stringify(prediction));
    const head = { id: `msg_${randomBytes(8).toString('hex')}`, timestamp: String(Math.floor(atMs / 1_000)) };
    const signatures = secrets.map((secret) => {
      const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
      return `v1,${hmac.update(`${head.id}.${head.timestamp}.`).update(body).digest('base64')}`;
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': head.id,
      'webhook-timestamp': head.timestamp,
      'webhook-signature': signatures.join(' '),
    };
    return { headers, body };
  }

  toPrediction(task: HostedTask): object {
    const { webhook, input } = task.body;
    const isOver = task.state === 'succeeded' || task.state === 'failed' || task.state === 'canceled';
    const isRemoved = isOver && this.fault('expire_outputs') !== null;
    return {
      id: task.id,
      model: 'someone/something',
      input: isRemoved ? {} : input,
      ...(this.sendsWebhooks && webhook !== undefined ? { webhook } : {}),
      status: this.statusWord(task, WORDS),
      output: task.state === 'succeeded' && !isRemoved ? this.shapeOutput(this.outputUrls(task)) : null,
      error:
        task.state === 'failed'
          ? (PROBLEMS[task.problem ?? 'error'] ?? `Could not draw ${String((input as ModelInput).prompt)}`)
          : null,
      logs: `Prompt: ${String((input as ModelInput).prompt)}`,
      metrics: isOver ? { predict_time: 1.25 } : {},
      data_removed: isRemoved,
      created_at: new Date().toISOString(),
      urls: {
        get: `https://api.replicate.com/v1/predictions/${task.id}`,
        cancel: `https://api.replicate.com/v1/predictions/${task.id}/cancel`,
      },
    };
  }

  private list(url: URL, response: ServerResponse): void {
    if (this.isAway(response)) return;
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const newestFirst = [...this.tasks.values()].reverse();
    const results = newestFirst.slice(from, from + this.pageSize).map((task) => this.toPrediction(task));
    const isLast = from + this.pageSize >= newestFirst.length;
    const next = isLast ? null : `${this.url}/v1/predictions?cursor=${from + this.pageSize}`;
    answerJson(response, 200, { previous: null, next, results });
  }
}
