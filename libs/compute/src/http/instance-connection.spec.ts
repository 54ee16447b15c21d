import { readFileSync } from 'node:fs';
import { Egress, EgressAllowList } from '@kinora/egress';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { InvalidUpstreamOutput, ProviderUnreachable } from '../compute-provider.port';
import { FakeHttpServer, answerJson, faults } from './fake-http-server.fixtures';
import { asGpuMs, asUpstreamId, decodeInlineFile } from './json-answer';
import { InstanceConnection } from './instance-connection';
import { toFormBody } from './multipart';
import { retryAfterMs, toRejectedSubmit, toUnansweredSubmit } from './submit-answer';

const SECRET = 'Bearer instance-secret';
const BOUNDS = { timeoutMs: 5_000, maxBytes: 1_000 };

describe('the connection to an instance', () => {
  let backend: FakeHttpServer;
  let storage: HttpsReceiver;
  let connection: InstanceConnection;

  beforeAll(async () => {
    backend = new FakeHttpServer((request, response) => answerJson(response, 200, { path: request.path }));
    storage = await HttpsReceiver.start();
    connection = connect(`${await backend.start()}/v2/endpoint`);
  });
  afterAll(() => Promise.all([connection.close(), backend.stop(), storage.close()]));
  beforeEach(() => {
    backend.requests.length = storage.requests.length = 0;
    storage.answer = (_request, response) => response.writeHead(200).end('picture');
  });

  function connect(url: string): InstanceConnection {
    const allow = EgressAllowList.parse(`127.0.0.1:${storage.port}`);
    const egress = new Egress({ allow, authority: readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8') });
    return new InstanceConnection({ url, headers: { authorization: SECRET }, concurrency: 1, egress });
  }

  function send(request: Partial<Parameters<InstanceConnection['send']>[0]> = {}) {
    return connection.send({ method: 'POST', to: '/run', timeoutMs: 5_000, maxAnswerBytes: 1_000, ...request });
  }

  it('prepends the path of its URL to a request, and adds its headers', async () => {
    const { status } = await send({ json: { a: 'ü' } });
    expect(status).toBe(200);
    expect(backend.requests).toMatchObject([
      { path: '/v2/endpoint/run', headers: { authorization: SECRET }, body: Buffer.from('{"a":"ü"}') },
    ]);
  });

  it('sends the values of a form byte for byte, line breaks too', async () => {
    const prompt = 'one\ntwo\r\nthree\rfour "quoted" 🦊';
    await send({ form: toFormBody([{ name: 'prompt', value: prompt }]) });
    expect(backend.requests[0]?.body.includes(Buffer.from(`\r\n\r\n${prompt}\r\n--`))).toBe(true);
  });

  it('sends nothing to another origin, and follows no redirect', async () => {
    await expect(send({ to: 'http://127.0.0.1:1/run' })).rejects.toMatchObject({ wasSent: false });
    backend.breakNext(/run/, faults.redirect(`https://127.0.0.1:${storage.port}/steal`));
    expect((await send()).status).toBe(302);
    expect(storage.requests).toEqual([]);
  });

  describe('proves', () => {
    it.each(['http://127.0.0.1:1', 'http://nowhere.invalid'])('that nothing was sent to %s', async (url) => {
      const gone = connect(url);
      const request = { method: 'POST', to: '/run', timeoutMs: 5_000, maxAnswerBytes: 1_000 } as const;
      await expect(gone.send(request).catch(toUnansweredSubmit)).resolves.toMatchObject({
        kind: 'refused',
        retryAfterMs: null,
      });
      await gone.close();
    });

    it('that nothing was sent when it was aborted before', async () => {
      await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({ wasSent: false });
      expect(backend.requests).toEqual([]);
    });

    it.each([
      ['its answer is lost', faults.loseAnswer],
      ['its answer is cut off', faults.truncated],
      ['its answer is too long', faults.body(Buffer.alloc(1_001))],
      ['it times out', faults.never],
    ])('nothing of a submission when %s', async (_, fault) => {
      backend.breakNext(/run/, fault);
      const timeoutMs = fault === faults.never ? 200 : 5_000;
      await expect(send({ timeoutMs }).catch(toUnansweredSubmit)).resolves.toMatchObject({ kind: 'unknown' });
    });
  });

  it('uses the first value of a repeated header', async () => {
    backend.breakNext(/run/, (response) => response.writeHead(429, ['Retry-After', '7', 'Retry-After', '9']).end());
    expect(toRejectedSubmit(await send())).toMatchObject({ kind: 'refused', retryAfterMs: 7_000 });
  });

  it('closes the connection when the caller aborts', async () => {
    const abort = new AbortController();
    const isHungUp = new Promise((resolve) => {
      backend.breakNext(/run/, (response) => {
        response.on('close', () => resolve(!response.writableEnded));
        abort.abort();
      });
    });
    await expect(send({ signal: abort.signal })).rejects.toMatchObject({ wasSent: true });
    expect(await isHungUp).toBe(true);
  });

  describe('fetches a file', () => {
    it('from its own origin with its headers', async () => {
      backend.breakNext(/view/, faults.body('picture'));
      expect(await connection.fetchFile('/view?x=1', BOUNDS)).toEqual(Buffer.from('picture'));
      expect(backend.requests).toMatchObject([{ path: '/v2/endpoint/view?x=1', headers: { authorization: SECRET } }]);
    });

    it('from elsewhere, and behind one redirect, without them', async () => {
      const elsewhere = `https://127.0.0.1:${storage.port}/file`;
      backend.breakNext(/view/, faults.redirect(elsewhere));
      expect(await connection.fetchFile(elsewhere, BOUNDS)).toEqual(Buffer.from('picture'));
      expect(await connection.fetchFile('/view', BOUNDS)).toEqual(Buffer.from('picture'));
      expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    });

    it('behind a redirect within its own origin, with its headers', async () => {
      backend.breakNext(/view/, faults.redirect('/moved/here'));
      backend.breakNext(/moved/, faults.body('picture'));
      expect(await connection.fetchFile('/view', BOUNDS)).toEqual(Buffer.from('picture'));
      expect(backend.requests.map(({ path }) => path)).toEqual(['/v2/endpoint/view', '/moved/here']);
      expect(backend.requests[1]?.headers.authorization).toBe(SECRET);
    });

    it.each([
      ['an address that may not be fetched', 'https://127.0.0.2/file'],
      ['a protocol that is not allowed', 'file:///etc/passwd'],
      ['no address at all', 'x.png'],
    ])('never from %s', async (_, to) => {
      await expect(connection.fetchFile(to, BOUNDS)).rejects.toBeInstanceOf(InvalidUpstreamOutput);
    });

    it.each([
      ['is too large', faults.body(Buffer.alloc(1_001)), InvalidUpstreamOutput],
      ['is gone', faults.status(404), InvalidUpstreamOutput],
      ['is sent to no address', faults.redirect('http://['), InvalidUpstreamOutput],
      ['is kept from a wrong key', faults.status(403), ProviderUnreachable],
      ['is cut off', faults.truncated, ProviderUnreachable],
      ['meets a backend that answers 500', faults.status(500), ProviderUnreachable],
    ])('or throws a temporary or a permanent error, when it %s', async (_, fault, error) => {
      backend.breakNext(/view/, fault);
      await expect(connection.fetchFile('/view', BOUNDS)).rejects.toBeInstanceOf(error);
    });
  });
});

describe('what a rejection of a submission proves', () => {
  const answer = (status: number, headers = {}) => toRejectedSubmit({ status, headers, body: Buffer.alloc(0) });

  it.each([401, 402, 403, 409, 429, 503])('%d: not accepted, to be retried', (status) => {
    expect(answer(status, { 'retry-after': '7' })).toMatchObject({ kind: 'refused', retryAfterMs: 7_000 });
  });

  it.each([400, 404, 413, 422])('%d: not accepted, to be fixed by the operator', (status) => {
    expect(answer(status)).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_input' } });
  });

  it.each([200, 302, 408, 500, 502, 504])('%d: nothing', (status) => {
    expect(answer(status)).toMatchObject({ kind: 'unknown' });
  });
});

describe('what the message of a rejection proves', () => {
  const kindOf = (status: number, words: object): unknown => {
    const outcome = toRejectedSubmit({ status, headers: {}, body: Buffer.from(JSON.stringify(words)) }, ['nsfw "sea"']);
    return outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind;
  };

  it.each([
    [400, { detail: 'The prompt was flagged as sensitive. (E005)' }, 'content_rejected'],
    [403, { error: 'This request violates our content policy.' }, 'content_rejected'],
    [422, { error: { code: 'content_policy_violation' } }, 'content_rejected'],
    [422, { detail: 'Not understood: nsfw "sea"' }, 'invalid_input'],
    [400, { detail: 'Names are case-sensitive.' }, 'invalid_input'],
    [403, { detail: 'No such key.' }, 'refused'],
    [429, { detail: 'Flagged for too many requests.' }, 'refused'],
  ])('%d %j: %s', (status, words, kind) => expect(kindOf(status, words)).toBe(kind));
});

describe('Retry-After', () => {
  it.each([
    ['3', 3_000],
    [new Date(60_000).toUTCString(), 60_000],
    [new Date(-600_000).toUTCString(), 0],
    ['999999999', 600_000],
    ['1.5', 1_500],
    ['soon', null],
    ['', null],
  ])('%j is %j ms', (value, expected) => {
    expect(retryAfterMs({ 'retry-after': value }, 0)).toBe(expected);
  });

  it('is relative to the clock of the backend', () => {
    const at = (ms: number) => new Date(ms).toUTCString();
    expect(retryAfterMs({ 'retry-after': at(605_000), date: at(600_000) }, 0)).toBe(5_000);
  });
});

describe('an inline file', () => {
  const bytes = Buffer.from([0, 255, 17, 42]);

  it.each([
    bytes.toString('base64'),
    `data:image/png;base64,${bytes.toString('base64')}`,
    `${bytes.toString('base64')}\r\n`,
    `DATA:image/png;charset=utf-8;BASE64, ${bytes.toString('base64')}\n`,
  ])('is decoded from %j', (text) => expect(decodeInlineFile(text)).toEqual(bytes));

  it.each(['', 'data:image/png,plain', 'https://storage.example/x.png', 'AAAA*AAAA', 'AAAA=AAA'])(
    'is refused for %j',
    (text) => expect(() => decodeInlineFile(text)).toThrow(InvalidUpstreamOutput),
  );
});

describe('the id of a task at a backend', () => {
  it.each(['b2c8-u1', 'video_gen_1f', '123.4:5'])('may be %s', (id) => expect(asUpstreamId(id)).toBe(id));

  it.each(['', '..', '../jobs', 'a/b', 'a?b', 'a%2fb', 'a b', 'x'.repeat(201), 7, null])('cannot be %j', (id) =>
    expect(asUpstreamId(id)).toBeNull(),
  );
});

describe('the duration of a task at a backend', () => {
  it.each([
    [1.2346, 1_000, 1_235],
    [0, 1, 0],
    [-1, 1, null],
    [1e12, 1, null],
    [Number.NaN, 1, null],
    ['3', 1, null],
  ])('%j times %d is %j ms', (value, unit, expected) => expect(asGpuMs(value, unit)).toBe(expected));
});
