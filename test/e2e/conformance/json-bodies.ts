import type { Job } from '@kinora/contracts/jobs/job';
import { type ExpectedError, expectEnvelope, expectJob } from './resources';
import { DELAY, type TestBed } from './test-bed';

interface TextRow {
  what: string;
  text: string | Uint8Array;
  refused: Omit<ExpectedError, 'status'>;
}

const PROMPT = `"prompt":"${DELAY}"`;
const invalidJson = { code: 'invalid_json' };
const invalidBody = { code: 'invalid_body' };
const wrong = (param: string): TextRow['refused'] => ({ code: 'invalid_body', param });
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(',');

const refuses = (what: string, text: TextRow['text'], refused: TextRow['refused']): TextRow => ({
  what,
  text,
  refused,
});

const REFUSED_TEXTS: TextRow[] = [
  refuses('nothing', '', invalidJson),
  refuses('only spaces', ' \r\n\t', invalidJson),
  refuses('a truncated body', `{${PROMPT}`, invalidJson),
  refuses('a body with text after it', `{${PROMPT}} x`, invalidJson),
  refuses('a trailing comma', `{${PROMPT},}`, invalidJson),
  refuses('single quotes', `{'prompt':'a'}`, invalidJson),
  refuses('NaN', `{${PROMPT},"seed":NaN}`, invalidJson),
  refuses('a control character in a text', '{"prompt":"a\nb"}', invalidJson),
  refuses('an unknown escape', '{"prompt":"\\x41"}', invalidJson),
  refuses('a byte order mark', `\ufeff{${PROMPT}}`, invalidJson),
  refuses('UTF-16', Buffer.from(`{${PROMPT}}`, 'utf16le'), invalidJson),
  refuses('Latin-1', Buffer.from('{"prompt":"\xe9"}', 'latin1'), invalidJson),
  refuses('an overlong encoding', Buffer.from('{"prompt":"\xc0\xaf"}', 'latin1'), invalidJson),
  refuses('an encoded surrogate', Buffer.from('{"prompt":"\xed\xa0\x80"}', 'latin1'), invalidJson),
  refuses('a key twice', `{${PROMPT},${PROMPT}}`, wrong('prompt')),
  refuses('a key twice, once escaped', `{${PROMPT},"pr\\u006fmpt":"a"}`, wrong('prompt')),
  refuses('a key of metadata twice', `{${PROMPT},"metadata":{"a":"1","a":"1"}}`, wrong('metadata.a')),
  refuses(
    'a key of a LoRA twice',
    `{${PROMPT},"loras":[{"id":"ink-wash"},{"id":"ink-wash","id":"duotone"}]}`,
    wrong('loras[1].id'),
  ),
  ...['null', 'true', '1', '"text"', '[]', `[{${PROMPT}}]`].map((text) =>
    refuses(`the value ${text}`, text, invalidBody),
  ),
  refuses('an empty object', '{}', wrong('prompt')),
  refuses('an unknown field', `{${PROMPT},"promt":"a"}`, wrong('promt')),
  refuses('an empty name', `{${PROMPT},"":1}`, wrong('')),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'].map((name) =>
    refuses(`the field ${name}`, `{${PROMPT},"${name}":{"a":1}}`, wrong(name)),
  ),
  refuses('seed 1e400', `{${PROMPT},"seed":1e400}`, wrong('seed')),
  refuses('guidance 1e400', `{${PROMPT},"guidance":1e400}`, wrong('guidance')),
  refuses('guidance -1e-400 and a wrong n', `{${PROMPT},"guidance":-1e-400,"n":9}`, wrong('n')),
  refuses('a number of ten thousand digits', `{${PROMPT},"n":${'9'.repeat(10_000)}}`, wrong('n')),
  refuses('an escaped lone surrogate', '{"prompt":"\\ud800"}', wrong('prompt')),
  refuses('an escaped U+0000', '{"prompt":"\\u0000"}', wrong('prompt')),
  refuses('brackets sixty thousand deep', '['.repeat(60_000) + ']'.repeat(60_000), invalidBody),
  refuses('objects twenty thousand deep', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000), wrong('a')),
  refuses('ten thousand fields', `{${repeat(10_000, (index) => `"k${index}":1`)}}`, wrong('k0')),
  refuses('fifty thousand LoRAs', `{${PROMPT},"loras":[${repeat(50_000, () => '0')}]}`, wrong('loras')),
  refuses(
    'ten thousand entries of metadata',
    `{${PROMPT},"metadata":{${repeat(10_000, (index) => `"k${index}":""`)}}}`,
    wrong('metadata'),
  ),
];

const ACCEPTED: [what: string, text: string, echo: object][] = [
  ['spaces and line ends around everything', ` {\r\n ${PROMPT} ,\t"n" : 1 }\n`, { n: 1 }],
  ['1.0 for an integer', `{${PROMPT},"n":1.0}`, { n: 1 }],
  ['2e0 for an integer', `{${PROMPT},"n":2e0}`, { n: 2 }],
  ['-0 for an integer', `{${PROMPT},"seed":-0}`, { seed: 0 }],
  ['an escaped name', `{${PROMPT},"\\u006e":1}`, { n: 1 }],
  ['an escaped pair of surrogates', `{"prompt":"${DELAY}\\ud83d\\ude00"}`, { prompt: `${DELAY}😀` }],
];

export function describeJsonBodies(testBed: TestBed): void {
  describe('a JSON body (decisions: Request bodies)', () => {
    it.each(REFUSED_TEXTS)('$what is refused', async ({ text, refused }) => {
      expectEnvelope(await testBed.client.post('/images/generations', text), { status: 400, ...refused });
    });

    it.each(ACCEPTED)('%s is accepted', async (_, text, echo) => {
      const answer = await testBed.client.post<Job>('/images/generations', text);
      expectJob(answer.body);
      expect(answer.body.input).toMatchObject(echo);
      await testBed.client.post(`/jobs/${answer.body.id}/cancel`);
    });

    it('a body may have 202752 bytes, and no more', async () => {
      const body = `{${PROMPT},"n":9}`;
      const legal = await testBed.client.post('/images/generations', body.padEnd(202_752));
      expectEnvelope(legal, { status: 400, code: 'invalid_body', param: 'n' });
      const long = await testBed.client.post('/images/generations', body.padEnd(202_753));
      expectEnvelope(long, { status: 400, code: 'invalid_body' });
    });

    it('the largest legal body, all of it escaped, is accepted', async () => {
      const escape = (text: string): string =>
        text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const emoji = (count: number): string => escape('😀'.repeat(count));
      const metadata = repeat(16, (index) => `"${emoji(62)}${index + 10}":"${emoji(256)}"`);
      const text = `{"prompt":"${DELAY}${emoji(1_900)}","negative_prompt":"${emoji(1_000)}","metadata":{${metadata}}}`;
      const answer = await testBed.client.post<Job>('/images/generations', text);
      expect(answer.status).toBe(202);
      expect(Object.keys(answer.body.metadata ?? {})).toHaveLength(16);
      await testBed.client.post(`/jobs/${answer.body.id}/cancel`);
    });
  });
}
