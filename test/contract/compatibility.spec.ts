import { type Golden, incompatibilities } from './compatibility';
import type { JsonSchema } from '../../deploy/build/generate/contracts/json-schema';

const text = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const golden = (response: JsonSchema, request = object({})): Golden => ({
  subjects: { 'jobs.v1.get': { kind: 'rpc', request, response } },
  $defs: { Job: object({ id: text, parent: { $ref: '#/$defs/Job' } }, ['id']) },
});

describe('incompatibilities', () => {
  const job = object({ id: text });
  const status = (...values: string[]) => object({ status: { enum: values } });

  it.each<[string, Golden, Golden]>([
    ['an added optional field', golden(job), golden(object({ id: text, note: text }, ['id']))],
    ['an added optional field of the request', golden(job), golden(job, object({ note: text }, []))],
    [
      'an added field that is always present',
      golden(object({ id: text }, [])),
      golden(object({ id: text, at: text }, [])),
    ],
    ['a type that contains itself', golden({ $ref: '#/$defs/Job' }), golden({ $ref: '#/$defs/Job' })],
    ['a renamed type with the same content', golden(job), golden({ ...job })],
  ])('are none with %s', (_, before, after) => {
    expect(incompatibilities(before, after)).toEqual([]);
  });

  const REMEDY =
    'Make the field optional, or declare a contract of the next version (v2) beside this one (libs/contracts/README.md).';
  const NEW = 'jobs.v1.get: the version before cannot read the new response. ' + REMEDY;
  const OLD = 'jobs.v1.get: the new version cannot read the response of the version before. ' + REMEDY;

  it.each<[string, Golden, Golden, string]>([
    [
      'a removed subject',
      golden(job),
      { subjects: {}, $defs: {} },
      'jobs.v1.get is gone: keep its contract and its handler for one more release, beside what replaces it.',
    ],
    ['a removed field', golden(job), golden(object({})), NEW],
    ['a field that became optional', golden(job), golden(object({ id: text }, [])), NEW],
    ['a field of another type', golden(job), golden(object({ id: { type: 'number' } })), NEW],
    ['an added enum value', golden(status('queued')), golden(status('queued', 'paused')), NEW],
    [
      'null where there was always a value',
      golden(job),
      golden(object({ id: { anyOf: [{ type: 'null' }, text] } })),
      NEW,
    ],
    ['a field that the version before does not send', golden(job), golden(object({ id: text, at: text })), OLD],
    ['a value that is no longer accepted', golden(status('queued', 'paused')), golden(status('queued')), OLD],
  ])('report %s', (_, before, after, problem) => {
    expect(incompatibilities(before, after)).toContain(problem);
  });
});
