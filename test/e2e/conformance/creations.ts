import {
  type FieldRow,
  type Operation,
  accepts,
  acceptsEach,
  describeFields,
  refuses,
  refusesEach,
  refusesOtherTypes,
  refusesUnstorable,
} from './field-rows';
import { SMALL_PNG } from './images';
import { JOB_ROWS } from './job-rows';
import { DELAY, type TestBed } from './test-bed';

/** A prefix that makes the sandbox draw nothing. */
function textOf(codePoints: number, character: string): string {
  return DELAY + character.repeat(codePoints - DELAY.length);
}

/** The upper bound of a text counts code points, not UTF-16 units, bytes or graphemes. */
function textRows(field: string, max: number): FieldRow[] {
  return [
    accepts(field, `${max} letters`, textOf(max, 'a')),
    refuses(field, `${max + 1} letters`, textOf(max + 1, 'a')),
    accepts(field, `${max} code points of emoji`, textOf(max, '😀')),
    refuses(field, `${max + 1} code points of emoji`, textOf(max + 1, '😀')),
    accepts(field, `${max} code points of combining marks`, textOf(max, '\u0301')),
    refuses(field, `${max + 1} code points of combining marks`, textOf(max + 1, '\u0301')),
    ...refusesOtherTypes(field, 'a text'),
    ...refusesUnstorable(field),
  ];
}

const SEED_ROWS: FieldRow[] = [
  ...acceptsEach('seed', [0, 2_147_483_647]),
  ...refusesEach('seed', [-1, 2_147_483_648, 0.5, 9_007_199_254_740_993, 1e300]),
  ...refusesOtherTypes('seed', 'a number'),
];

const OUTPUT_FORMAT_ROWS: FieldRow[] = [
  ...acceptsEach('output_format', ['png', 'jpeg', 'webp']),
  ...refusesEach('output_format', ['', 'PNG', 'jpg', 'gif', 'avif', 'image/png', 'png ']),
  ...refusesOtherTypes('output_format', 'a text'),
];

/** A LoRA of the built-in catalog. */
const LORA = { id: 'ink-wash' };

const one = (what: string, item: unknown, path = ''): FieldRow => refuses('loras', what, [item], `loras[0]${path}`);

/** An invalid field of an item, derived from the rows of a body field. */
const inItem = (rows: FieldRow[], beside: object = {}): FieldRow[] =>
  rows.map(({ field, what, value }) => one(`${field} with ${what}`, { ...beside, [field]: value }, `.${field}`));

/** Applies to every model that accepts LoRAs (decisions: LoRAs). */
const LORA_ITEM_ROWS: FieldRow[] = [
  accepts('loras', 'an empty list', []),
  ...refusesOtherTypes('loras', 'a list'),
  ...[null, 1, 'ink-wash', []].map((item) => one(`the item ${JSON.stringify(item)}`, item)),
  one('an item without id and url', {}),
  one('an item of only a strength', { strength: 1 }),
  one('an unknown field', { ...LORA, weight: 1 }, '.weight'),
  one('an empty id', { id: '' }, '.id'),
  one('an id of 129 characters', { id: 'l'.repeat(129) }, '.id'),
  one('an unknown id of 128 characters', { id: 'l'.repeat(128) }, '.id'),
  ...inItem(refusesOtherTypes('id', 'a text')),
  ...inItem(refusesUnstorable('id')),
  ...inItem(refusesOtherTypes('url', 'a text')),
  ...inItem(refusesOtherTypes('strength', 'a number'), LORA),
];

/** On an image model, whose LoRAs are those of the catalog. */
const CATALOG_LORA_ROWS: FieldRow[] = [
  ...LORA_ITEM_ROWS,
  accepts('loras', 'three items', [LORA, { id: 'pixel-art' }, { id: 'duotone' }]),
  refuses('loras', 'four items', [LORA, LORA, LORA, LORA]),
  accepts('loras', 'a strength of 0.1', [{ ...LORA, strength: 0.1 }]),
  accepts('loras', 'a strength of 1.5', [{ ...LORA, strength: 1.5 }]),
  one('a strength below 0.1', { ...LORA, strength: 0.09 }, '.strength'),
  one('a strength above 1.5', { ...LORA, strength: 1.51 }, '.strength'),
  one('id and url together', { ...LORA, url: 'https://example.com/a.safetensors' }),
  one('a url', { url: 'https://example.com/a.safetensors' }, '.url'),
  one('a low_url', { ...LORA, low_url: 'https://example.com/a.safetensors' }, '.low_url'),
  refuses('loras', 'an invalid second item', [LORA, { id: 'nobody' }], 'loras[1].id'),
];

const GENERATION: Operation = {
  path: '/images/generations',
  body: () => ({ prompt: `${DELAY} a lighthouse`, size: '512x512' }),
};

const GENERATION_ROWS: FieldRow[] = [
  refuses('prompt', 'leaving it out', undefined),
  accepts('prompt', 'one character', 'a'),
  ...textRows('prompt', 2000),
  refuses('prompt', 'an empty text', ''),
  refuses('prompt', 'white space and zero-width characters', ' \n\u200b\u2060'),
  accepts('prompt', 'a space at each end, kept', ` ${DELAY} a `),
  accepts('prompt', 'a text that is not in a normal form, kept', `${DELAY} e\u0301 \u212b \ufb01`),
  accepts('prompt', 'controls and line ends, kept', `${DELAY} a\r\n\t\u0001\u007f\u0085\u2028`),
  accepts('prompt', 'a byte order mark and noncharacters, kept', `\ufeff${DELAY}\uffff\u{10ffff}`),
  accepts('prompt', 'right to left and joined characters, kept', `${DELAY}\u202e\u05d0 👩‍👩‍👧‍👦`),
  refuses('model', 'an empty text', ''),
  refuses('model', '65 characters', 'm'.repeat(65)),
  refuses('model', '65 emoji', '😀'.repeat(65)),
  ...refusesOtherTypes('model', 'a text'),
  ...refusesUnstorable('model'),
  accepts('negative_prompt', 'an empty text', ''),
  ...textRows('negative_prompt', 1000),
  ...acceptsEach('size', ['512x512', '1024x1024']),
  ...refusesEach('size', ['', '512', 'x512', '512x', '99x512', '512x99', '10000x512', '512x10000', '0512x512']),
  ...refusesEach('size', ['512X512', '512×512', '512*512', ' 512x512', '512x512 ', '512x512\n', '+512x512', '٥١٢x512']),
  refuses('size', 'a size that the model does not list', '513x512'),
  ...refusesOtherTypes('size', 'a text'),
  ...acceptsEach('aspect_ratio', ['1:1', '4:5', '2:3', '5:4', '3:2', '16:9', '9:16']),
  ...refusesEach('aspect_ratio', ['', '3:4', '1', '1:1 ', '1/1', '01:01', '16:10', '9x16']),
  ...refusesOtherTypes('aspect_ratio', 'a text'),
  ...acceptsEach('n', [1, 4]),
  ...refusesEach('n', [0, 5, -1, 1.5, 1e300]),
  ...refusesOtherTypes('n', 'a number'),
  ...SEED_ROWS,
  ...acceptsEach('steps', [1, 50]),
  ...refusesEach('steps', [0, 51, -1, 1.5]),
  ...refusesOtherTypes('steps', 'a number'),
  ...acceptsEach('guidance', [0, 20, 7.5, 0.000001]),
  ...refusesEach('guidance', [-0.000001, 20.000001, -1, 21, 1e308]),
  ...refusesOtherTypes('guidance', 'a number'),
  ...CATALOG_LORA_ROWS,
  ...OUTPUT_FORMAT_ROWS,
  ...JOB_ROWS,
];

const EDIT: Operation = {
  path: '/images/edits',
  body: () => ({ prompt: `${DELAY} make it blue`, image: SMALL_PNG }),
};

const EDIT_ROWS: FieldRow[] = [
  refuses('prompt', 'leaving it out', undefined),
  refuses('prompt', 'an empty text', ''),
  ...textRows('prompt', 2000),
  refuses('model', 'an empty text', ''),
  refuses('model', '65 characters', 'm'.repeat(65)),
  ...refusesOtherTypes('model', 'a text'),
  ...refusesUnstorable('model'),
  refuses('image', 'leaving it out', undefined),
  refuses('image', 'an empty text', ''),
  ...refusesOtherTypes('image', 'a text'),
  refuses('images', 'an empty list', []),
  refuses('images', 'three in addition to image', [SMALL_PNG, SMALL_PNG, SMALL_PNG]),
  refuses('images', 'four', [SMALL_PNG, SMALL_PNG, SMALL_PNG, SMALL_PNG]),
  ...refusesOtherTypes('images', 'a list'),
  ...[null, 1, '', {}, []].map((item) =>
    refuses('images', `the item ${JSON.stringify(item)}`, [SMALL_PNG, item], 'images[1]'),
  ),
  ...textRows('negative_prompt', 1000),
  // The model's own limits: 256 to 2048 px a side, any width and height between.
  ...acceptsEach('size', ['256x256', '2048x2048', '256x2048', '257x1999']),
  ...refusesEach('size', ['255x256', '256x255', '2049x256', '256x2049', '999x9999']),
  ...refusesEach('size', ['', '256', '256X256', '25x256', ' 256x256', '256x256\n', '00256x256']),
  ...refusesOtherTypes('size', 'a text'),
  ...SEED_ROWS,
  ...OUTPUT_FORMAT_ROWS,
  ...JOB_ROWS,
  ...['n', 'steps', 'guidance', 'loras', 'aspect_ratio', 'duration', 'mask'].map((field) =>
    refuses(field, 'a field of other operations', 1),
  ),
];

const VIDEO: Operation = { path: '/videos/generations', body: () => ({ image: SMALL_PNG, prompt: DELAY }) };

const FILE = 'https://files.example.com/a.safetensors';

const VIDEO_LORA_ROWS: FieldRow[] = [
  ...LORA_ITEM_ROWS,
  accepts('loras', 'a file for both experts', [{ url: FILE }]),
  accepts('loras', 'a pair of files', [{ url: FILE, low_url: `${FILE}?low=.safetensors`, strength: 1.5 }]),
  ...['https://files.example.com/api/download/models/1?type=Model', 'https://files.example.com/a.SAFETENSORS'].map(
    (url) => accepts('loras', `the url ${url}`, [{ url, low_url: url }]),
  ),
  accepts('loras', 'three items', [{ url: FILE }, { url: FILE }, { url: FILE, strength: 0.1 }]),
  refuses('loras', 'four items', [{ url: FILE }, { url: FILE }, { url: FILE }, { url: FILE }]),
  accepts('loras', 'a url of 2048 characters', [{ url: `${FILE}?`.padEnd(2048, 'a') }]),
  ...[
    `${FILE}?`.padEnd(2049, 'a'),
    '',
    'http://files.example.com/a.safetensors',
    'https://127.0.0.1/a.safetensors',
    'https://user@files.example.com/a.safetensors',
  ].flatMap((url) => [
    refuses('loras', `the url ${url.slice(0, 60)}`, [{ url }], 'loras[0].url'),
    refuses('loras', `the low_url ${url.slice(0, 60)}`, [{ url: FILE, low_url: url }], 'loras[0].low_url'),
  ]),
  refuses('loras', 'a low_url without a url', [{ low_url: FILE }], 'loras[0].low_url'),
  refuses('loras', 'id and url together', [{ id: 'ink-wash', url: FILE }], 'loras[0]'),
  refuses('loras', 'an id of an image model', [{ id: 'ink-wash' }], 'loras[0].id'),
  refuses('loras', 'a strength below 0.1', [{ url: FILE, strength: 0.0999 }], 'loras[0].strength'),
  refuses('loras', 'a strength above 1.5', [{ url: FILE, strength: 1.5001 }], 'loras[0].strength'),
];

const VIDEO_ROWS: FieldRow[] = [
  refuses('image', 'leaving it out', undefined),
  refuses('image', 'an empty text', ''),
  refuses('image', 'a list of one', [SMALL_PNG]),
  refuses('image', 'no image', 'data:image/png;base64,AAAA'),
  refuses('image', 'an address that is not public', 'https://10.0.0.1/a.png'),
  ...refusesOtherTypes('image', 'a text'),
  refuses('model', 'an empty text', ''),
  refuses('model', '65 characters', 'm'.repeat(65)),
  ...refusesOtherTypes('model', 'a text'),
  ...refusesUnstorable('model'),
  ...textRows('prompt', 1500),
  ...textRows('negative_prompt', 1000),
  ...acceptsEach('duration', [5, 8]),
  ...refusesEach('duration', [0, 4, 5.5, 6, 9, -5, '5']),
  ...refusesOtherTypes('duration', 'a number'),
  ...SEED_ROWS,
  ...VIDEO_LORA_ROWS,
  ...JOB_ROWS,
  ...['images', 'size', 'n', 'fps', 'output_format', 'aspect_ratio'].map((field) =>
    refuses(field, 'a field of other operations', 1),
  ),
];

/** Every field of each operation that creates a job, at its bounds. */
export function describeCreations(testBed: TestBed): void {
  describe('POST /images/generations', () => describeFields(testBed, GENERATION, GENERATION_ROWS));
  describe('POST /images/edits', () => describeFields(testBed, EDIT, EDIT_ROWS));
  describe('POST /videos/generations', () => describeFields(testBed, VIDEO, VIDEO_ROWS));
}
