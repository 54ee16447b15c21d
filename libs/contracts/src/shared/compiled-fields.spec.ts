import { IsString, validateSync } from 'class-validator';
import fc from 'fast-check';
import { ImageEditBody } from '../jobs/image-edit.body';
import { ImageGenerationBody } from '../jobs/image-generation.body';
import { ListJobsQuery, UsageQuery } from '../jobs/lists.query';
import { VideoLoraBody } from '../jobs/job.body';
import { VideoGenerationBody } from '../jobs/video-generation.body';
import { brokenRule, type FieldsClass, fieldsOf } from './compiled-fields';

/** Values on either side of each limit, and values that no field accepts. */
const LENGTHS = [0, 1, 40, 41, 64, 65, 128, 129, 200, 201, 256, 257, 1000, 1001, 1500, 1501, 2000, 2001, 2048, 2049];
const NUMBERS = [-1, 0, 0.09, 0.1, 1, 1.5, 1.6, 4, 5, 8, 20, 20.5, 50, 51, 2_147_483_647, 2_147_483_648, 2 ** 60, NaN];
const WORDS = ['png', 'gif', '1:1', '512x512', '5x512', 'queued', 'day', '7', '101', '07', 'a\0b', '\ud83d', '\udd8a'];

const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .tuple(fc.constantFrom(...LENGTHS), fc.constantFrom('a', '\u00e9', '\ud83e\udd8a', 'a\ud83e\udd8a'))
    .map(([length, unit]) => unit.repeat(length)),
);
const scalar = fc.oneof(text, fc.constantFrom(...NUMBERS), fc.constantFrom(null, undefined, true));
const value = fc.oneof(
  scalar,
  fc.dictionary(text, text, { maxKeys: 17 }),
  fc.array(fc.oneof(scalar, fc.dictionary(text, scalar, { maxKeys: 2 })), { maxLength: 4 }),
  fc.constant(new Uint8Array(1)),
);

/** The messages of class-validator itself for the body, by field. */
function judge(fieldsClass: FieldsClass, received: object): [string, string][] {
  const errors = validateSync(Object.assign(new fieldsClass(), received), { stopAtFirstError: true });
  return errors.map(({ property, constraints }) => [property, Object.values(constraints ?? {})[0] ?? '']);
}

describe('the compiled rules of a class', () => {
  it.each<FieldsClass>([
    ImageGenerationBody,
    ImageEditBody,
    VideoGenerationBody,
    VideoLoraBody,
    ListJobsQuery,
    UsageQuery,
  ])('report for every field of %p what class-validator reports, in the same order', (fieldsClass) => {
    const fields = [...fieldsOf(fieldsClass).values()];
    const body = fc.record(Object.fromEntries(fields.map(({ name }) => [name, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(body, (received: Record<string, unknown>) => {
        const broken = fields.map((field) => [field.name, brokenRule(field, received, received[field.name])]);
        expect(broken.filter(([, message]) => message !== undefined)).toEqual(judge(fieldsClass, received));
      }),
      { numRuns: 200 },
    );
  });

  it('contain only rules that they can check as class-validator would', () => {
    class Tags {
      @IsString({ each: true, message: 'must be texts' })
      tags!: string[];
    }
    expect(() => fieldsOf(Tags)).toThrow('tags has a rule');
  });
});
