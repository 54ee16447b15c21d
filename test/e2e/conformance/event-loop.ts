import type { Answer } from '../../support/api-client';
import { dataUri, heavyPng } from './images';
import { expectEnvelope } from './resources';
import { DELAY, type TestBed } from './test-bed';

const MIB = 1024 * 1024;
const LONGEST_STANDSTILL_MS = 100;
/** Other load on the machine stalls the event loop now and then; a defect does so on every attempt. */
const ATTEMPTS = 10;
/** On a busy machine, each attempt sends and parses forty megabytes for several seconds. */
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
        const send = (): Promise<Answer<unknown>> =>
          testBed.client.post('/images/edits', body, { 'Idempotency-Key': 'large' });
        expect(await standstillMs(send)).toBeLessThan(LONGEST_STANDSTILL_MS);
        expect(await send()).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
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
      const text = `{"prompt":"a","metadata":{${repeat(9_000, (index) => `"${index}":""`)}}}`;
      const send = (): Promise<Answer<unknown>> =>
        testBed.client.post('/images/generations', text, { 'Idempotency-Key': 'small' });
      expectEnvelope(await send(), { status: 400, code: 'invalid_body', param: 'metadata' });
      expect(await standstillMs(send)).toBeLessThan(LONGEST_STANDSTILL_MS);
    });
  });
}
