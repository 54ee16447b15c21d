import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type InvalidRequestError, KinoraError, WebhookVerificationError, errorOfAnswer } from './errors';
import { Kinora } from './kinora';
import type { Page } from './list-call';
import type { ImageSource } from './resources';
import { type Outcome, retryDelaySeconds } from './retry-delay';
import { ScriptedApi, type ScriptedAnswer, vectors } from './scripted-api.fixtures';
import { unwrapWebhook } from './webhook-signature';

const JOB_ID = '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11';
let api: ScriptedApi;
beforeAll(async () => (api = await ScriptedApi.start()));
afterAll(() => api.close());

const client = (options = {}) => new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL, ...options });

describe('retries', () => {
  interface Case {
    title: string;
    attempt: number;
    repeatable: boolean;
    outcome: { status: number; headers: Record<string, string> } | { failure: 'connection' };
    delay_seconds: [number, number] | null;
  }
  const { now, cases } = vectors<Case, { now: string }>('retries');

  it.each(cases)('$title', ({ attempt, repeatable, outcome, delay_seconds }) => {
    const seen: Outcome = 'failure' in outcome ? outcome : { ...outcome, headers: new Headers(outcome.headers) };
    const delays = [0, 1].map((random) =>
      retryDelaySeconds(seen, { attempt, repeatable }, { nowMs: Date.parse(now), random }),
    );
    expect(delays).toEqual(delay_seconds ?? [null, null]);
  });
});

describe('errors', () => {
  interface Case {
    title: string;
    answer: { status: number; headers: Record<string, string>; body?: unknown; text?: string };
    error: Record<string, unknown>;
  }
  it.each(vectors<Case>('errors').cases)('$title', ({ answer, error: expected }) => {
    const text = answer.text ?? JSON.stringify(answer.body);
    const error = errorOfAnswer(answer.status, new Headers(answer.headers), text);
    const { name, status, type, code, param, requestId, retryAfterSeconds } = error;
    const facts = { class: name, status, type, code, param };
    expect({ ...facts, request_id: requestId, retry_after_seconds: retryAfterSeconds }).toEqual(expected);
    expect(error).toBeInstanceOf(KinoraError);
    expect(error.message).not.toBe('');
  });
});

describe('idempotency keys', () => {
  type Step = number | 'connection' | 'truncated';
  interface Case {
    title: string;
    max_retries?: number;
    calls: {
      idempotency_key: string | null;
      answers: Step[];
      sent: string[];
      error?: { class: string; idempotency_key: string };
    }[];
  }
  const JOB = { id: JOB_ID, object: 'job', status: 'queued' };
  const answerOf = (step: Step): ScriptedAnswer => {
    if (step === 'connection') return { status: 0, end: 'drop' };
    if (step === 'truncated') return { status: 202, headers: { 'content-length': '999' }, body: JOB, end: 'cut' };
    return step === 202 ? { status: 202, body: JOB } : { status: step, body: { error: {} } };
  };

  it.each(vectors<Case>('idempotency').cases)('$title', async ({ max_retries, calls }) => {
    const names = new Map<string, string>();
    const nameOf = (key: string): string => {
      if (calls.some(({ idempotency_key }) => idempotency_key === key)) return key;
      if (!names.has(key)) names.set(key, `#${names.size + 1}`);
      return names.get(key) ?? '';
    };
    for (const { idempotency_key, answers, sent, error: expected } of calls) {
      api.play(...answers.map(answerOf));
      const options = { maxRetries: max_retries ?? 4, idempotencyKey: idempotency_key ?? undefined };
      const outcome: unknown = await client()
        .images.create({ prompt: 'a lighthouse' }, options)
        .catch((error: unknown) => error);
      const keys = api.requests.map(({ headers }) => String(headers['idempotency-key']));
      expect(keys.every((key) => /^[!-~]{1,255}$/.test(key))).toBe(true);
      expect(keys.map(nameOf)).toEqual(sent);
      expect(new Set(api.requests.map(({ body }) => body)).size).toBe(1);
      const { name, idempotencyKey } = outcome as KinoraError;
      if (expected) expect({ class: name, idempotency_key: nameOf(idempotencyKey ?? '') }).toEqual(expected);
      else expect(outcome).toEqual(JOB);
    }
  });
});

describe('lists', () => {
  interface Case {
    title: string;
    operation: 'jobs.list' | 'events.list' | 'keys.list' | 'deliveries.list' | 'models.list' | 'loras.list';
    params: Record<string, unknown>;
    pages: { path: string; body: Page<{ id: string }> }[];
    items: string[];
    stop_after: number | null;
  }
  const sorted = (target: string) => {
    const { pathname, searchParams } = new URL(target, 'http://api');
    searchParams.sort();
    return `${pathname}?${searchParams.toString()}`;
  };

  it.each(vectors<Case>('pagination').cases)('$title', async (it) => {
    api.play(...it.pages.map(({ body }) => ({ status: 200, body })));
    const kinora = client();
    const { job_id, ...params } = it.params;
    const lists = {
      'jobs.list': () => kinora.jobs.list(params),
      'events.list': () => kinora.events.list(params),
      'keys.list': () => kinora.keys.list(params),
      'deliveries.list': () => kinora.deliveries.list({ ...params, jobId: job_id as string }),
      'models.list': () => kinora.models.list(),
      'loras.list': () => kinora.loras.list(params),
    };
    const items: string[] = [];
    for await (const { id } of lists[it.operation]() as AsyncIterable<{ id: string }>) {
      items.push(id);
      if (items.length === it.stop_after) break;
    }
    expect(items).toEqual(it.items);
    expect(api.requests.map(({ path }) => sorted(path))).toEqual(it.pages.map(({ path }) => sorted(path)));
    api.play({ status: 200, body: it.pages[0]?.body });
    expect(await lists[it.operation]()).toEqual(it.pages[0]?.body);
  });
});

describe('webhooks', () => {
  interface Case {
    title: string;
    body: string;
    body_kind: 'text' | 'bytes' | 'parsed';
    headers: Record<string, string>;
    secrets: string[];
    now_seconds: number;
    event_id: string | null;
    error: { class: string; code: string } | null;
  }
  it.each(vectors<Case>('webhooks').cases)('$title', (it) => {
    const body = { text: it.body, bytes: Buffer.from(it.body), parsed: null }[it.body_kind] ?? JSON.parse(it.body);
    const secret = it.secrets.length === 1 ? it.secrets[0]! : it.secrets;
    for (const headers of [it.headers, new Headers(it.headers)]) {
      const unwrap = () => unwrapWebhook(body as string, headers, secret, { nowSeconds: it.now_seconds });
      if (it.error === null) expect(unwrap()).toEqual(JSON.parse(it.body));
      else expect(unwrap).toThrow(expect.objectContaining({ name: it.error.class, code: it.error.code }));
    }
    expect(new WebhookVerificationError('').name).toBe('WebhookVerificationError');
  });
});

describe('image sources', () => {
  interface Case {
    title: string;
    kind: string;
    value: string | number | null;
    sent: string | null;
    error: Record<string, unknown> | null;
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-client-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (bytes: Uint8Array) => {
    const name = path.join(folder, 'image');
    writeFileSync(name, bytes);
    return name;
  };
  const ofSize = (size: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], size);

  function sourcesOf({ kind, value }: Case): unknown[] {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.alloc(0);
    const streamed = () => Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    switch (kind) {
      case 'text':
      case 'number':
        return [value];
      case 'path':
        return [file(bytes), new URL(`file://${file(bytes)}`)];
      case 'bytes':
        return [bytes, new Uint8Array(bytes).buffer, new Blob([new Uint8Array(bytes)])];
      case 'stream':
        return [streamed(), Readable.toWeb(streamed())];
      case 'missing_path':
        return [path.join(folder, 'missing.png')];
      case 'folder':
        mkdirSync(path.join(folder, 'folder'), { recursive: true });
        return [path.join(folder, 'folder')];
      case 'bytes_of_size':
        return [ofSize(Number(value)), Readable.from([ofSize(Number(value))])];
      default:
        return [file(ofSize(Number(value)))];
    }
  }

  it.each(vectors<Case>('files').cases)('$title', async (it) => {
    const JOB = { id: JOB_ID, object: 'job', status: 'queued' };
    for (const source of sourcesOf(it)) {
      api.play({ status: 202, body: JOB }, { status: 202, body: JOB });
      const outcome = await client()
        .images.createEdit({ prompt: 'brighter', image: source as ImageSource })
        .catch((error: unknown) => error);
      if (it.error) {
        const { name, status, type, code, param, problem } = outcome as InvalidRequestError;
        expect({ class: name, status, type, code, param, problem }).toEqual(it.error);
        expect(api.requests).toEqual([]);
        continue;
      }
      expect(outcome).toEqual(JOB);
      const { image } = JSON.parse(api.requests[0]?.body ?? '') as { image: string };
      if (it.sent !== 'any') expect(image).toBe(it.sent);
      else expect(image.length).toBeGreaterThan(13_000_000);
    }
  });

  it('of a list are named by their place', async () => {
    api.play();
    const images = ['https://example.com/a.png', Buffer.from('no image')];
    await expect(client().images.createEdit({ prompt: 'brighter', images })).rejects.toMatchObject({
      param: 'images[1]',
      problem: 'not_an_image',
    });
  });
});
