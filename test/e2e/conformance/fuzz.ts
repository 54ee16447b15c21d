import fc from 'fast-check';
import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ErrorBody } from '../../support/api-client';
import { RawConnection } from '../../support/raw-http';
import { SMALL_PNG } from './images';
import { ANSWERED_WITHIN_MS } from './raw-http';
import { expectHeaders } from './resources';
import { aRequestId, aText } from './shapes';
import { DELAY, type TestBed } from './test-bed';

/** Enough runs to test every field with an invalid value; a failure prints the seed that reproduces it. */
const RUNS = 120;
export const SECTION_TIMEOUT_MS = 240_000;

export const anyText = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', '\0', '\ud800', '__proto__', '../..', '${7*7}', "'; --", '%00', 'a'.repeat(3_000)),
);
export const anyValue = fc.oneof(anyText, fc.jsonValue({ maxDepth: 4 }), fc.double(), fc.maxSafeInteger());

/** Each field is valid, invalid or missing. */
export function bodyOf(legal: Record<string, unknown>): fc.Arbitrary<unknown> {
  const fields = Object.entries(legal).map(([name, value]) => [
    name,
    fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: anyValue }),
  ]);
  const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
  const withMore = fc.tuple(known, fc.dictionary(anyText, anyValue, { maxKeys: 2 }));
  return fc.oneof(
    known,
    withMore.map(([body, more]) => ({ ...body, ...more })),
    anyValue,
  );
}

export const LEGAL_GENERATION = {
  prompt: DELAY,
  model: 'general-image',
  negative_prompt: 'n',
  size: '512x512',
  aspect_ratio: '1:1',
  n: 1,
  seed: 1,
  steps: 5,
  guidance: 1,
  loras: [{ id: 'ink-wash' }],
  output_format: 'png',
  webhook_url: 'https://example.com/',
  metadata: { a: 'b' },
};
const BODIES: Record<string, fc.Arbitrary<unknown>> = {
  '/images/generations': bodyOf(LEGAL_GENERATION),
  '/images/edits': bodyOf({ prompt: DELAY, image: SMALL_PNG, images: [SMALL_PNG], size: '256x256', seed: 1 }),
  '/videos/generations': bodyOf({ image: SMALL_PNG, prompt: DELAY, duration: 5, loras: [], seed: 1 }),
};

const anyQuery = fc
  .array(fc.tuple(fc.constantFrom('limit', 'cursor', 'status', 'model', 'from', 'to', 'group_by', 'x'), anyText))
  .map((pairs) => pairs.map(([name, value]) => `${name}=${escapeText(value)}`).join('&'));

export const anyHeaders = fc.dictionary(
  fc.constantFrom('accept', 'content-type', 'idempotency-key', 'x-forwarded-for', 'x-request-id', 'range', 'cookie'),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 300 }),
);

/** A query is bytes: text without a UTF-8 form is sent as it is. */
export function escapeText(text: string): string {
  return /\p{Surrogate}/u.test(text) ? '%ed%a0%80' : encodeURIComponent(text);
}

/** Every response is declared, none is a 500, and none shows internals. */
function expectDeclared({ status, body, headers }: Answer<unknown>): void {
  expect(status).toBeLessThan(500);
  expectHeaders(headers);
  if (status >= 400) {
    const { request_id, message, ...rest } = (body as ErrorBody).error;
    expect([request_id, message]).toEqual([aRequestId, aText]);
    expect(['type', 'code', 'param']).toEqual(expect.arrayContaining(Object.keys(rest)));
  }
  expect(JSON.stringify(body)).not.toMatch(/\bat \S+ \(|node_modules|\.js:\d|\.ts:\d|select .* from /i);
}

export async function check<Value>(values: fc.Arbitrary<Value>, holds: (value: Value) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(values, holds), { numRuns: RUNS });
}

export function describeFuzzing(testBed: TestBed): void {
  describe('any input', () => {
    it.each(Object.entries(BODIES))(
      'POST %s answers as declared to any body',
      async (path, bodies) => {
        await check(bodies, async (body) => {
          const answer = await testBed.client.post<Job>(path, JSON.stringify(body));
          expectDeclared(answer);
          if (answer.status < 300) await testBed.client.post(`/jobs/${answer.body.id}/cancel`);
        });
      },
      SECTION_TIMEOUT_MS,
    );

    it(
      'bytes that are not JSON are answered as declared',
      () =>
        check(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          expectDeclared(await testBed.client.post('/images/generations', bytes));
        }),
      SECTION_TIMEOUT_MS,
    );

    it.each(['/jobs', '/usage', '/loras', '/models', '/account', '/ping'])(
      'GET %s answers as declared to any query and headers',
      (path) =>
        check(fc.tuple(anyQuery, anyHeaders), async ([query, headers]) => {
          expectDeclared(await testBed.client.send(`${path}?${query}`, { headers }));
        }),
      SECTION_TIMEOUT_MS,
    );

    it(
      'a creation answers as declared to any headers',
      () =>
        check(anyHeaders, async (headers) => {
          const body = JSON.stringify({ prompt: DELAY, n: 9 });
          expectDeclared(await testBed.client.send('/images/generations', { method: 'POST', body, headers }));
        }),
      SECTION_TIMEOUT_MS,
    );
  });
}

/** Requests that the API does not describe, including bytes that are not HTTP. */
export function describeFuzzedConnections(testBed: TestBed): void {
  describe('any input to any path', () => {
    it(
      'any path answers as declared',
      () =>
        check(
          fc.tuple(fc.constantFrom('GET', 'POST'), fc.array(anyText, { maxLength: 3 })),
          async ([method, parts]) => {
            const path = parts.map((part) => `/${escapeText(part)}`).join('');
            expectDeclared(await testBed.client.send(`/jobs${path}`, { method }));
          },
        ),
      SECTION_TIMEOUT_MS,
    );

    it(
      'any bytes on a connection end in an envelope or a clean close',
      () =>
        check(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
          const connection = await RawConnection.open(testBed.port);
          connection.write(`${Buffer.from(bytes).toString('latin1')}\r\n\r\n`);
          connection.end();
          await connection.closed(ANSWERED_WITHIN_MS);
          expect(connection.text === '' || connection.answers.length > 0).toBe(true);
          connection.answers.forEach(expectDeclared);
        }),
      SECTION_TIMEOUT_MS,
    );

    it('no input causes an internal error', async () => {
      await waitFor(async () => (await testBed.client.get('/ping')).status === 200);
      expect(await testBed.failuresInLogs()).toEqual([]);
    });
  });
}
