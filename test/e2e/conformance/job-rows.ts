import { type FieldRow, accepts, refuses, refusesEach, refusesOtherTypes, refusesUnstorable } from './field-rows';

const HOOK = 'https://hooks.example.com/';

function entries(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

/** A key that would set the prototype in an object literal. */
const PROTO = JSON.parse('{"__proto__":"v"}') as Record<string, string>;

const NOT_PUBLIC = [
  'http://example.com/',
  'ftp://example.com/',
  '//example.com/',
  'example.com',
  'https://',
  'https:example.com',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://@example.com/',
  'https://example.com:80/',
  'https://example.com:444/',
  'https://example.com:0/',
  'https://example.com:65536/',
  'https://localhost/',
  'https://a.localhost/',
  'https://printer.local/',
  'https://db.internal/',
  'https://api.default.svc/',
  'https://api.default.svc.cluster.local/',
  'https://host.localdomain/',
  'https://intranet/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[2001:db8::1]/',
  'https://[2002:7f00:1::]/',
  'https://example.com/a b',
  ' https://example.com/',
  'https://example.com/\n',
  'https://exa\tmple.com/',
  'https://example.com/\u0085',
];

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
