import type { Job } from '@kinora/contracts/jobs/job';
import { type ExpectedError, expectEnvelope, expectJob } from './resources';
import { DELAY, type TestBed } from './test-bed';

export interface TextRow {
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

export const REFUSED_TEXTS: TextRow[] = [
  { what: 'nothing', text: '', refused: invalidJson },
  { what: 'only spaces', text: ' \r\n\t', refused: invalidJson },
  { what: 'a truncated body', text: `{${PROMPT}`, refused: invalidJson },
  { what: 'a body with text after it', text: `{${PROMPT}} x`, refused: invalidJson },
  { what: 'two bodies', text: `{${PROMPT}}{${PROMPT}}`, refused: invalidJson },
  { what: 'a trailing comma', text: `{${PROMPT},}`, refused: invalidJson },
  { what: 'a comment', text: `{${PROMPT}/* a */}`, refused: invalidJson },
  { what: 'single quotes', text: `{'prompt':'a'}`, refused: invalidJson },
  { what: 'a name without quotes', text: `{prompt:"a"}`, refused: invalidJson },
  { what: 'NaN', text: `{${PROMPT},"seed":NaN}`, refused: invalidJson },
  { what: 'Infinity', text: `{${PROMPT},"seed":Infinity}`, refused: invalidJson },
  { what: 'undefined', text: `{${PROMPT},"seed":undefined}`, refused: invalidJson },
  { what: 'a number with a plus', text: `{${PROMPT},"seed":+1}`, refused: invalidJson },
  { what: 'a number with a leading zero', text: `{${PROMPT},"seed":01}`, refused: invalidJson },
  { what: 'a hexadecimal number', text: `{${PROMPT},"seed":0x1}`, refused: invalidJson },
  { what: 'a control character in a text', text: '{"prompt":"a\nb"}', refused: invalidJson },
  { what: 'an unknown escape', text: '{"prompt":"\\x41"}', refused: invalidJson },
  { what: 'a byte order mark', text: `\ufeff{${PROMPT}}`, refused: invalidJson },
  { what: 'UTF-16', text: Buffer.from(`{${PROMPT}}`, 'utf16le'), refused: invalidJson },
  { what: 'Latin-1', text: Buffer.from('{"prompt":"\xe9"}', 'latin1'), refused: invalidJson },
  { what: 'an overlong encoding', text: Buffer.from('{"prompt":"\xc0\xaf"}', 'latin1'), refused: invalidJson },
  { what: 'an encoded surrogate', text: Buffer.from('{"prompt":"\xed\xa0\x80"}', 'latin1'), refused: invalidJson },
  { what: 'a form', text: 'prompt=a', refused: invalidJson },
  { what: 'a key twice', text: `{${PROMPT},${PROMPT}}`, refused: wrong('prompt') },
  {
    what: 'a key twice, once escaped',
    text: `{${PROMPT},"pr\\u006fmpt":"a"}`,
    refused: wrong('prompt'),
  },
  {
    what: 'a key of metadata twice',
    text: `{${PROMPT},"metadata":{"a":"1","a":"1"}}`,
    refused: wrong('metadata.a'),
  },
  {
    what: 'a key of a LoRA twice',
    text: `{${PROMPT},"loras":[{"id":"ink-wash"},{"id":"ink-wash","id":"duotone"}]}`,
    refused: wrong('loras[1].id'),
  },
  ...['null', 'true', '1', '"text"', '[]', `[{${PROMPT}}]`].map((text): TextRow => ({
    what: `the value ${text}`,
    text,
    refused: invalidBody,
  })),
  { what: 'an empty object', text: '{}', refused: wrong('prompt') },
  { what: 'an unknown field', text: `{${PROMPT},"promt":"a"}`, refused: wrong('promt') },
  { what: 'a field in another case', text: `{${PROMPT},"Seed":1}`, refused: wrong('Seed') },
  { what: 'an empty name', text: `{${PROMPT},"":1}`, refused: wrong('') },
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'].map((name): TextRow => ({
    what: `the field ${name}`,
    text: `{${PROMPT},"${name}":{"a":1}}`,
    refused: wrong(name),
  })),
  { what: 'seed 1e400', text: `{${PROMPT},"seed":1e400}`, refused: wrong('seed') },
  { what: 'guidance 1e400', text: `{${PROMPT},"guidance":1e400}`, refused: wrong('guidance') },
  { what: 'guidance -1e-400 and a wrong n', text: `{${PROMPT},"guidance":-1e-400,"n":9}`, refused: wrong('n') },
  { what: 'a number of ten thousand digits', text: `{${PROMPT},"n":${'9'.repeat(10_000)}}`, refused: wrong('n') },
  { what: 'an escaped lone surrogate', text: '{"prompt":"\\ud800"}', refused: wrong('prompt') },
  { what: 'an escaped U+0000', text: '{"prompt":"\\u0000"}', refused: wrong('prompt') },
  { what: 'brackets sixty thousand deep', text: '['.repeat(60_000) + ']'.repeat(60_000), refused: invalidBody },
  {
    what: 'objects twenty thousand deep',
    text: '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
    refused: wrong('a'),
  },
  { what: 'ten thousand fields', text: `{${repeat(10_000, (index) => `"k${index}":1`)}}`, refused: wrong('k0') },
  {
    what: 'fifty thousand LoRAs',
    text: `{${PROMPT},"loras":[${repeat(50_000, () => '0')}]}`,
    refused: wrong('loras'),
  },
  {
    what: 'ten thousand entries of metadata',
    text: `{${PROMPT},"metadata":{${repeat(10_000, (index) => `"k${index}":""`)}}}`,
    refused: wrong('metadata'),
  },
];

const ACCEPTED = [
  { what: 'spaces and line ends around everything', text: ` {\r\n ${PROMPT} ,\t"n" : 1 }\n`, echo: { n: 1 } },
  { what: '1.0 for an integer', text: `{${PROMPT},"n":1.0}`, echo: { n: 1 } },
  { what: '2e0 for an integer', text: `{${PROMPT},"n":2e0}`, echo: { n: 2 } },
  { what: '-0 for an integer', text: `{${PROMPT},"seed":-0}`, echo: { seed: 0 } },
  { what: 'an escaped name', text: `{${PROMPT},"\\u006e":1}`, echo: { n: 1 } },
  {
    what: 'an escaped pair of surrogates',
    text: `{"prompt":"${DELAY}\\ud83d\\ude00"}`,
    echo: { prompt: `${DELAY}😀` },
  },
];

export function describeJsonBodies(testBed: TestBed): void {
  describe('a JSON body (decisions: Request bodies)', () => {
    it.each(REFUSED_TEXTS)('$what is refused', async ({ text, refused }) => {
      expectEnvelope(await testBed.client.post('/images/generations', text), { status: 400, ...refused });
    });

    it.each(ACCEPTED)('$what is accepted', async ({ text, echo }) => {
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
