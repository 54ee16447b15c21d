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
import { JOB_ROWS } from './job-rows';
import { LORA_ITEM_ROWS } from './lora-rows';
import { SMALL_PNG } from './images';
import { SEED_ROWS, textRows } from './shared-rows';
import { DELAY, type TestBed } from './test-bed';

const VIDEO: Operation = { path: '/videos/generations', body: () => ({ image: SMALL_PNG, prompt: DELAY }) };

const FILE = 'https://files.example.com/a.safetensors';

const LORA_ROWS: FieldRow[] = [
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

const ROWS: FieldRow[] = [
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
  ...LORA_ROWS,
  ...JOB_ROWS,
  ...['images', 'size', 'n', 'fps', 'output_format', 'aspect_ratio'].map((field) =>
    refuses(field, 'a field of other operations', 1),
  ),
];

export function describeVideoGenerations(testBed: TestBed): void {
  describe('POST /videos/generations', () => {
    describeFields(testBed, VIDEO, ROWS);
  });
}
