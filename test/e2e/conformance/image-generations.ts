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
import { CATALOG_LORA_ROWS } from './lora-rows';
import { JOB_ROWS } from './job-rows';
import { DELAY, type TestBed } from './test-bed';
import { OUTPUT_FORMAT_ROWS, SEED_ROWS, textRows } from './shared-rows';

const GENERATION: Operation = {
  path: '/images/generations',
  body: () => ({ prompt: `${DELAY} a lighthouse`, size: '512x512' }),
};

const ROWS: FieldRow[] = [
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

export function describeImageGenerations(testBed: TestBed): void {
  describe('POST /images/generations', () => {
    describeFields(testBed, GENERATION, ROWS);
  });
}
