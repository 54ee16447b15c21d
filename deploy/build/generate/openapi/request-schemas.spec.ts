import { CreateAccountKeyBody } from '@kinora/contracts/billing/account-key.body';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { ListEventsQuery, ListJobsQuery, UsageQuery } from '@kinora/contracts/jobs/lists.query';
import { QUOTE_ID } from '@kinora/contracts/jobs/quote';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { findFieldProblem } from '@kinora/contracts/shared/field-problem';
import { PageQuery } from '@kinora/contracts/shared/page';
import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import { ListDeliveriesQuery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import fc from 'fast-check';
import { readReference, schemaCompiler } from '../../../../test/support/published-reference';
import { fieldsOf } from './request-schemas';

/**
 * Values on either side of each limit, and values that no field accepts. A lone surrogate is left out: a schema cannot refuse
 * it.
 */
const LENGTHS = [0, 1, 64, 65, 128, 129, 256, 257, 1000, 1001, 1500, 1501, 2000, 2001, 2048, 2049];
const NUMBERS = [
  -1,
  0,
  0.09,
  0.1,
  0.5,
  1,
  1.5,
  1.6,
  4,
  5,
  8,
  9,
  20,
  20.5,
  21,
  50,
  51,
  2_147_483_647,
  2_147_483_648,
  2 ** 60,
];
const WORDS = [
  ...['png', 'gif', '1:1', '1:2', '512x512', '5x512', '12345x512', '512X512', 'a\0b', '\ud83d\ude00', ''],
  ...[' \n', '\u200b', '\u3164x'],
];

const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc
    .tuple(fc.constantFrom(...LENGTHS), fc.constantFrom('a', '\u00e9', '\ud83d\ude00'))
    .map(([length, letter]) => letter.repeat(length)),
);
const scalar = fc.oneof(text, fc.constantFrom(...NUMBERS), fc.constantFrom(null, true));
const dictionary = fc.oneof(
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc
    .constantFrom(16, 17)
    .map((size) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 'v']))),
  fc.constant({ key: 1 }),
);
const lora = fc.record(
  { id: scalar, url: scalar, low_url: scalar, strength: scalar, name: scalar },
  { requiredKeys: [] },
);
const value = fc.oneof(scalar, dictionary, fc.array(fc.oneof(text, lora, scalar), { maxLength: 4 }));

/** Whether a text is a URL is not checked by these rules. */
const compile = schemaCompiler(readReference(), { validateFormats: false });

describe('the schema of a body', () => {
  it.each([ImageGenerationBody, ImageEditBody, VideoGenerationBody] as FieldsClass[])(
    'accepts and refuses the same values as the rules of %p, field by field',
    (bodyClass) => {
      const validate = compile({ $ref: `#/components/schemas/${bodyClass.name}` });
      const names = [...fieldsOf(bodyClass).map(({ name }) => name), 'misspelt'];
      const valid = { prompt: 'p', image: 'https://pictures.example/1.png' };
      const base = Object.fromEntries(Object.entries(valid).filter(([name]) => names.includes(name)));
      fc.assert(
        fc.property(fc.constantFrom(...names), value, (name, content) => {
          const body = { ...base, [name]: content };
          expect(validate(body)).toBe(findFieldProblem(bodyClass, body) === null);
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it('refuses a list of models in which one stands twice, as the rules do', () => {
    const validate = compile({ $ref: '#/components/schemas/CreateAccountKeyBody' });
    for (const [models, isRight] of [
      [['a', 'b'], true],
      [['a', 'a'], false],
    ] as const) {
      const body = { name: 'worker', models };
      expect([validate(body), findFieldProblem(CreateAccountKeyBody, body) === null]).toEqual([isRight, isRight]);
    }
  });

  it('requires the fields that the rules require', () => {
    const validate = compile({ $ref: '#/components/schemas/ImageGenerationBody' });
    expect([validate({}), findFieldProblem(ImageGenerationBody, {})]).toEqual([
      false,
      expect.objectContaining({ param: 'prompt' }),
    ]);
  });
});

describe('the parameters of a query', () => {
  const places = ['a', 'evt_0', 'Zm9v-_', 'a'.repeat(200), 'a'.repeat(201), '', 'a b', 'a=', 'ä', 'a\0'];
  const times = [
    '2026-11-20',
    '2026-11-20T09:00',
    '2026-11-20T09:00:00.5+02:00',
    '2026',
    '2026-11-20T24:00',
    'today',
    '',
  ];

  it.each([
    ['/jobs', ListJobsQuery, 'cursor', places],
    ['/account/keys', PageQuery, 'cursor', places],
    ['/events', ListEventsQuery, 'after', places],
    ['/webhooks/deliveries', ListDeliveriesQuery, 'cursor', places],
    ['/webhooks/deliveries', ListDeliveriesQuery, 'since', times],
    ['/usage', UsageQuery, 'from', times],
    ['/usage', UsageQuery, 'to', times],
  ] as [string, FieldsClass, string, string[]][])(
    'of %s: %p refuses the same %s as its schema',
    (route, query, name, texts) => {
      const { parameters = [] } = readReference().paths[route]?.['get'] ?? {};
      const validate = compile(parameters.find((parameter) => parameter.name === name)?.schema ?? {});
      const refused = texts.filter((each) => !validate(each));
      expect(refused).toEqual(texts.filter((each) => findFieldProblem(query, { [name]: each }) !== null));
      expect(refused.length).toBeGreaterThan(2);
    },
  );

  it('describe a quote exactly', () => {
    const { parameters = [] } = readReference().paths['/images/generations']?.['post'] ?? {};
    const { pattern } = parameters.find(({ name }) => name === 'X-Service-Quote')?.schema ?? {};
    expect(pattern).toBe(QUOTE_ID.source);
  });
});
