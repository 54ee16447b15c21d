import {
  type FieldRow,
  type Operation,
  acceptsEach,
  describeFields,
  refuses,
  refusesEach,
  refusesOtherTypes,
  refusesUnstorable,
} from './field-rows';
import { JOB_ROWS } from './job-rows';
import { OUTPUT_FORMAT_ROWS, SEED_ROWS, textRows } from './shared-rows';
import { DELAY, type TestBed } from './test-bed';
import { SMALL_PNG } from './images';

const EDIT: Operation = {
  path: '/images/edits',
  body: () => ({ prompt: `${DELAY} make it blue`, image: SMALL_PNG }),
};

const ROWS: FieldRow[] = [
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

export function describeImageEdits(testBed: TestBed): void {
  describe('POST /images/edits', () => {
    describeFields(testBed, EDIT, ROWS);
  });
}
