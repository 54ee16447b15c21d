import fc from 'fast-check';
import type { Job } from '@kinora/contracts/jobs/job';
import {
  type DescribedOperation,
  readOpenAiReference,
  readReference,
  type Reference,
} from '../../support/published-reference';
import { SECTION_TIMEOUT_MS, anyHeaders, anyText, anyValue, escapeText } from './fuzz';
import { SMALL_PNG } from './images';
import { ANSWERED_WITHIN_MS } from './raw-http';
import { DELAY, type TestBed } from './test-bed';

/** `DESCRIBED_REQUESTS_RUNS=1000` takes an hour. A failure prints the seed and the path that reproduce it. */
const RUNS = Number(process.env['DESCRIBED_REQUESTS_RUNS'] ?? 25);
const MOST_ITEMS = 3;
/** What a schema cannot say: a job that draws nothing, and an image that can be decoded. */
const KNOWN_VALUES: Record<string, unknown> = { prompt: DELAY, image: SMALL_PNG, model: 'general-image' };

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** Mostly values that a schema allows, down to each field. */
function valuesOf(schema: Schema, { components }: Reference): fc.Arbitrary<unknown> {
  const from = (each: Schema): fc.Arbitrary<unknown> => {
    const allowed = allowedBy(each, from, (name) => components.schemas[name] ?? {});
    return fc.oneof({ weight: 9, arbitrary: allowed }, { weight: 1, arbitrary: anyValue });
  };
  return from(schema);
}

function allowedBy(
  { $ref, anyOf, oneOf, type, properties = {}, items = {}, ...schema }: Schema,
  from: (schema: Schema) => fc.Arbitrary<unknown>,
  find: (name: string) => Schema,
): fc.Arbitrary<unknown> {
  const [first] = [type].flat();
  if ($ref !== undefined) return from(find($ref.split('/').at(-1) ?? ''));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map(from));
  if (first === 'integer' || first === 'number')
    return fc.integer({ min: Math.ceil(schema.minimum ?? -10), max: Math.floor(schema.maximum ?? 1_000) });
  if (first === 'string') return fc.string({ maxLength: Math.min(schema.maxLength ?? 80, 80) });
  if (first === 'array') return fc.array(from(items), { maxLength: MOST_ITEMS });
  if (first !== 'object') return anyValue;
  const fields = Object.entries(properties).map(([name, field]) => {
    const known = KNOWN_VALUES[name];
    return [name, known === undefined ? from(field) : fc.oneof(fc.constant(known), from(field))] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

interface DrawnRequest {
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

function requestsOf(route: string, operation: DescribedOperation, reference: Reference, ids: string[]) {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const places = fc.tuple(...names.map(() => fc.oneof(fc.constantFrom(...ids), anyText)));
  const query = fc.tuple(
    ...(operation.parameters ?? [])
      .filter(({ name }) => !names.includes(name))
      .map(({ name, schema }) => fc.option(valuesOf(schema, reference)).map((value) => [name, value] as const)),
  );
  const content = operation.requestBody?.content['application/json'];
  const body = content ? valuesOf(content.schema, reference) : fc.constant(undefined);
  return fc
    .record({ places, query, body, headers: anyHeaders })
    .map(({ places: chosen, query: sent, ...rest }): DrawnRequest => {
      const path = names.reduce(
        (text, name, index) => text.replace(`{${name}}`, escapeText(chosen[index] ?? '')),
        route,
      );
      const pairs = sent
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}=${escapeText(String(value))}`);
      return { path: `${path}?${pairs.join('&')}`, ...rest };
    });
}

/** Requests as the published documents describe them, with some values that they do not: none fails the service or hangs. */
export function describeDescribedRequests(testBed: TestBed): void {
  const documents = { '/v1': readReference(), '/openai/v1': readOpenAiReference() };
  const operations = Object.entries(documents).flatMap(([base, reference]) =>
    Object.entries(reference.paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ base, reference, route, method, operation })),
    ),
  );

  describe('any described request', () => {
    it.each(operations)(
      '$method $base$route is answered without a failure',
      async ({ base, reference, route, method, operation }) => {
        const { id } = await testBed.client.generate({ prompt: DELAY });
        const origin = new URL(testBed.client.baseUrl).origin;
        await fc.assert(
          fc.asyncProperty(requestsOf(route, operation, reference, [id, '']), async ({ path, body, headers }) => {
            const response = await fetch(`${origin}${base}${path}`, {
              method: method.toUpperCase(),
              headers: { ...headers, authorization: `Bearer ${testBed.apiKey}`, 'content-type': 'application/json' },
              ...(body !== undefined && { body: JSON.stringify(body) ?? null }),
              signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
            });
            expect(response.status).not.toBe(500);
            const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
            if (isStream) return await response.body?.cancel();
            const created = (await response.json().catch(() => null)) as Partial<Job> | null;
            if (created?.object === 'job' && response.status === 202)
              await testBed.client.post(`/jobs/${created.id}/cancel`);
          }),
          { numRuns: RUNS },
        );
        await testBed.client.post(`/jobs/${id}/cancel`);
      },
      SECTION_TIMEOUT_MS + RUNS * ANSWERED_WITHIN_MS,
    );
  });
}
