import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { HttpsReceiver } from '@kinora/testing';
import type { CallbackRequest } from '../compute-provider.port';
import { FakeModelHost, type HostRequest, type HostedTask, type Route } from '../hosted-model/fake-model-host.fixtures';
import type { ModelInput } from '../hosted-model/received-input.fixtures';
import { answerJson } from '../http/fake-http-server.fixtures';

const WORDS = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  succeeded: 'COMPLETED',
  failed: 'COMPLETED',
  canceled: 'COMPLETED',
} as const;

interface Problem {
  status: number;
  msg: string;
  type: string;
}

const FAILED = { status: 500, msg: 'Something went wrong with: a calm sea', type: 'internal_server_error' };

const PROBLEMS: Record<string, Problem> = {
  out_of_memory: { status: 500, msg: 'CUDA out of memory', type: 'internal_server_error' },
  content_rejected: { status: 422, msg: 'The content was refused.', type: 'content_policy_violation' },
  result_is_error: { status: 422, msg: 'ensure this value is less than 50', type: 'value_error' },
  interrupted: { status: 400, msg: 'The request was cancelled.', type: 'request_cancelled' },
};

/** Implements fal's queue, for the endpoint fal-ai/flux/dev. */
export class FakeFal extends FakeModelHost {
  /** The base of the URLs that the answer to a submission names. */
  addressesBase: string | null = null;
  /** The filter's flag for each image. */
  flags: boolean[] = [];
  /** The request id that replaces the real one in every status. */
  knownId: string | null = null;
  /** Whether the store of results lags behind the queue. */
  isResultLate = false;

  protected route({ method, url }: HostRequest): Route {
    const [, id, verb] = /^\/fal-ai\/flux\/requests\/([\w-]+)(\/status|\/cancel)?$/.exec(url.pathname) ?? [];
    if (id !== undefined) return { kind: verb === '/cancel' && method === 'PUT' ? 'cancel' : 'status', id };
    return { kind: method === 'POST' && url.pathname === '/fal-ai/flux/dev' ? 'submit' : 'other' };
  }

  protected override inputOf(body: Record<string, unknown>): ModelInput {
    return body;
  }

  protected answerSubmit({ id }: HostedTask, response: ServerResponse): void {
    const responseUrl = `${this.addressesBase ?? this.url}/fal-ai/flux/requests/${id}`;
    const addresses = {
      response_url: responseUrl,
      status_url: `${responseUrl}/status`,
      cancel_url: `${responseUrl}/cancel`,
    };
    answerJson(response, 200, { status: 'IN_QUEUE', request_id: id, ...addresses, queue_position: 0 });
  }

  protected answerStatus(task: HostedTask | undefined, response: ServerResponse, { url }: HostRequest): void {
    if (!task) return answerJson(response, 404, { detail: 'Request not found' });
    if (!url.pathname.endsWith('/status')) return this.answerResult(task, response);
    const status = this.statusWord(task, WORDS);
    const metrics = status === 'COMPLETED' ? { metrics: { inference_time: 1.25 }, logs: [] } : {};
    answerJson(response, status === 'COMPLETED' ? 200 : 202, {
      status,
      request_id: this.knownId ?? task.id,
      ...(status === 'IN_QUEUE' && { queue_position: 2 }),
      ...metrics,
    });
  }

  protected override answerCancel(task: HostedTask | undefined, stopped: boolean, response: ServerResponse): void {
    if (!task) return answerJson(response, 404, { status: 'NOT_FOUND' });
    answerJson(response, stopped ? 202 : 400, { status: stopped ? 'CANCELLATION_REQUESTED' : 'ALREADY_COMPLETED' });
  }

  private answerResult(task: HostedTask, response: ServerResponse): void {
    if (this.fault('expire_outputs')) return answerJson(response, 404, { detail: 'Not found' });
    if (this.isResultLate) return answerJson(response, 400, { detail: 'Request is still in progress' });
    if (task.state !== 'succeeded') {
      const { status, ...problem } = PROBLEMS[task.problem ?? 'interrupted'] ?? FAILED;
      return answerJson(response, status, { detail: [{ loc: ['body'], ...problem }] });
    }
    const files = this.outputUrls(task).map((url) => ({ url, content_type: 'image/png', width: 128, height: 100 }));
    const isVideo = 'num_frames' in task.body;
    const outputs = isVideo ? { video: files[0] } : { images: files };
    answerJson(response, 200, {
      ...outputs,
      seed: 7,
      has_nsfw_concepts: this.flags,
      prompt: 'https://elsewhere.example/prompt.png',
    });
  }
}

/** Publishes fal's keys, and signs callbacks with them. */
export class FakeFalKeys {
  private pair = generateKeyPairSync('ed25519');
  private readonly older = generateKeyPairSync('ed25519');

  private constructor(readonly receiver: HttpsReceiver) {
    this.publish();
  }

  static async start(): Promise<FakeFalKeys> {
    return new FakeFalKeys(await HttpsReceiver.start());
  }

  get url(): string {
    return `https://127.0.0.1:${this.receiver.port}/.well-known/jwks.json`;
  }

  publish(): void {
    this.receiver.answer = (_request, response) => answerJson(response, 200, this.toJwks());
  }

  rotate(): void {
    this.pair = generateKeyPairSync('ed25519');
  }

  callback(body: object, atMs = Date.now()): CallbackRequest {
    const bytes = Buffer.from(JSON.stringify(body));
    const head = [randomUUID(), 'user_1', String(Math.floor(atMs / 1_000))];
    const message = [...head, createHash('sha256').update(bytes).digest('hex')].join('\n');
    const [requestId = '', userId = '', timestamp = ''] = head;
    return {
      body: bytes,
      headers: {
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': userId,
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': sign(null, Buffer.from(message), this.pair.privateKey).toString('hex'),
      },
    };
  }

  private toJwks(): object {
    const keys = [this.older, this.pair].map(({ publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      use: 'sig',
    }));
    return { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, ...keys] };
  }
}
