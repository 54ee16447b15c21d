import { type FieldRow, accepts, refuses, refusesEach, refusesOtherTypes, refusesUnstorable } from './field-rows';

const HOOK = 'https://hooks.example.com/';

function entries(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

/** A key that would set the prototype in an object literal. */
const PROTO = JSON.parse('{"__proto__":"v"}') as Record<string, string>;

/** public-urls.spec.ts has all of them. */
const NOT_PUBLIC = ['http://example.com/', 'https://169.254.169.254/', ' https://example.com/'];

const PUBLIC = [
  'https://example.com',
  'HTTPS://EXAMPLE.COM/',
  'https://example.com:443/',
  'https://example.com:8443/hook?a=b#c',
  'https://example.com./',
  'https://xn--bcher-kva.example/',
  'https://93.184.215.14/',
  'https://[2606:4700::1111]/',
];

/** Optional on all three creating operations (API: ImageGenerationBody.webhook_url). */
export const JOB_ROWS: FieldRow[] = [
  ...PUBLIC.map((url) => accepts('webhook_url', url, url)),
  ...refusesEach('webhook_url', ['', ...NOT_PUBLIC]),
  accepts('webhook_url', '2048 characters', HOOK.padEnd(2048, 'a')),
  refuses('webhook_url', '2049 characters', HOOK.padEnd(2049, 'a')),
  ...refusesOtherTypes('webhook_url', 'a text'),
  ...refusesUnstorable('webhook_url').map((row) => ({ ...row, value: `${HOOK}${String(row.value)}` })),
  accepts('metadata', 'no entries', {}),
  accepts('metadata', '16 entries', entries(16)),
  refuses('metadata', '17 entries', entries(17)),
  accepts('metadata', 'a key of 64 code points of emoji', { ['😀'.repeat(64)]: 'v' }),
  refuses('metadata', 'a key of 65 code points of emoji', { ['😀'.repeat(65)]: 'v' }),
  accepts('metadata', 'a key of one character', { k: 'v' }),
  refuses('metadata', 'an empty key', { '': 'v' }),
  accepts('metadata', 'an empty value', { k: '' }),
  accepts('metadata', 'a value of 256 code points of emoji', { k: '😀'.repeat(256) }),
  refuses('metadata', 'a value of 257 code points of emoji', { k: '😀'.repeat(257) }),
  accepts('metadata', 'keys that every object inherits', { constructor: 'a', toString: 'b' }),
  accepts('metadata', 'the key __proto__', PROTO),
  ...[null, 1, true, [], {}].map((value) => refuses('metadata', `the value ${JSON.stringify(value)}`, { k: value })),
  refuses('metadata', 'U+0000 in a value', { k: 'a\0' }),
  refuses('metadata', 'U+0000 in a key', { 'a\0': 'v' }),
  refuses('metadata', 'a lone surrogate in a value', { k: '\ud800' }),
  refuses('metadata', 'a lone surrogate in a key', { '\udfff': 'v' }),
  ...refusesOtherTypes('metadata', 'an object'),
];
