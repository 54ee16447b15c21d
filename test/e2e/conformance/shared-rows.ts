import {
  type FieldRow,
  accepts,
  acceptsEach,
  refuses,
  refusesEach,
  refusesOtherTypes,
  refusesUnstorable,
} from './field-rows';
import { DELAY } from './test-bed';

/** Fields that several operations have with the same rules. */

/** A prefix that makes the sandbox draw nothing. */
export function textOf(codePoints: number, character: string): string {
  return DELAY + character.repeat(codePoints - DELAY.length);
}

/** The upper bound of a text counts code points, not UTF-16 units, bytes or graphemes. */
export function textRows(field: string, max: number): FieldRow[] {
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

export const SEED_ROWS: FieldRow[] = [
  ...acceptsEach('seed', [0, 2_147_483_647]),
  ...refusesEach('seed', [-1, 2_147_483_648, 0.5, 9_007_199_254_740_993, 1e300]),
  ...refusesOtherTypes('seed', 'a number'),
];

export const OUTPUT_FORMAT_ROWS: FieldRow[] = [
  ...acceptsEach('output_format', ['png', 'jpeg', 'webp']),
  ...refusesEach('output_format', ['', 'PNG', 'jpg', 'gif', 'avif', 'image/png', 'png ']),
  ...refusesOtherTypes('output_format', 'a text'),
];
