import type { Answer } from '../../support/api-client';
import { dataUri, heavyPng } from './images';
import { expectEnvelope } from './resources';
import { DELAY, type TestBed } from './test-bed';

const MIB = 1024 * 1024;
const LONGEST_STANDSTILL_MS = 100;
/** Other load on the machine stalls the event loop now and then; a defect does so on every attempt. */
const ATTEMPTS = 10;
/** Each attempt sends and parses forty megabytes. */
const ATTEMPTS_TIMEOUT_MS = 240_000;

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(',');

const REFUSED: [what: string, text: () => string][] = [
  ['a million keys', () => `{${repeat(1_000_000, (index) => `"key-${index}":1`)}}`],
  ['forty megabytes of brackets', () => '['.repeat(40 * MIB)],
  ['ten million numbers', () => `{"prompt":"a","images":[${'0,'.repeat(10_000_000)}0]}`],
  ['a prompt of escapes', () => `{"prompt":"${'\\u0041'.repeat(6 * MIB)}","image":"x"}`],
  ['a name of forty megabytes', () => `{"${'a'.repeat(40 * MIB)}":1}`],
  ['an image of forty megabytes', () => `{"prompt":"a","image":"data:image/png;base64,${'A'.repeat(40 * MIB)}"}`],
];

const MANY_KEYS = `{"prompt":"a","metadata":{${repeat(9_000, (index) => `"${index}":""`)}}}`;

const sendLarge = (testBed: TestBed, body: Buffer): Promise<Answer<unknown>> =>
  testBed.client.post('/images/edits', body, { 'Idempotency-Key': 'large' });

export function describeLargeBodies(testBed: TestBed): void {
  describe('a large body that is no request', () => {
    it.each(REFUSED)('%s is refused', async (_, text) => {
      const answer = await sendLarge(testBed, Buffer.from(text()));
      expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
    });

    it('a small body with as many keys as fit is refused', async () => {
      const answer = await testBed.client.post('/images/generations', MANY_KEYS, { 'Idempotency-Key': 'small' });
      expectEnvelope(answer, { status: 400, code: 'invalid_body', param: 'metadata' });
    });
  });
}

/** Measures elapsed time, so it runs in the suite that has the machine for itself. */
export function describeEventLoop(testBed: TestBed): void {
  /** The shortest of the longest stalls over several attempts of a request. */
  const standstillMs = async (send: () => Promise<Answer<unknown>>): Promise<number> => {
    let shortestMs = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && shortestMs >= LONGEST_STANDSTILL_MS; attempt++) {
      await testBed.longestStandstillMs();
      await send();
      shortestMs = Math.min(shortestMs, await testBed.longestStandstillMs());
    }
    return shortestMs;
  };

  describe('no request blocks the event loop', () => {
    it.each(REFUSED)(
      '%s',
      async (_, text) => {
        const body = Buffer.from(text());
        expect(await standstillMs(() => sendLarge(testBed, body))).toBeLessThan(LONGEST_STANDSTILL_MS);
      },
      ATTEMPTS_TIMEOUT_MS,
    );

    it(
      'three images of 10 MiB',
      async () => {
        const image = dataUri(heavyPng(10 * MIB));
        const body = Buffer.from(JSON.stringify({ prompt: DELAY, images: [image, image, image] }));
        const send = async (): Promise<Answer<unknown>> => {
          const answer = await testBed.client.post<{ id: string }>('/images/edits', body);
          expect(answer.status).toBe(202);
          await testBed.client.post(`/jobs/${answer.body.id}/cancel`);
          return answer;
        };
        expect(await standstillMs(send)).toBeLessThan(LONGEST_STANDSTILL_MS);
      },
      ATTEMPTS_TIMEOUT_MS,
    );

    it('a small body with as many keys as fit', async () => {
      const send = (): Promise<Answer<unknown>> =>
        testBed.client.post('/images/generations', MANY_KEYS, { 'Idempotency-Key': 'small' });
      expect(await standstillMs(send)).toBeLessThan(LONGEST_STANDSTILL_MS);
    });
  });
}
