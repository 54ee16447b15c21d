import fc from 'fast-check';
import type { Job } from '@kinora/contracts/jobs/job';
import { readOpenAiReference, readReference, type Reference } from '../../support/published-reference';
import { SECTION_TIMEOUT_MS, anyHeaders, anyText, anyValue, escapeText } from './fuzz';
import { SMALL_PNG } from './images';
import { ANSWERED_WITHIN_MS } from './raw-http';
import { DELAY, type TestBed } from './test-bed';

/** `DESCRIBED_REQUESTS_RUNS=1000` takes an hour. A failure prints the seed and the path that reproduce it. */
const RUNS = Number(process.env['DESCRIBED_REQUESTS_RUNS'] ?? 25);
const MOST_ITEMS = 3;
const JSON_TYPE = 'application/json';
const FORM = 'multipart/form-data';
type BodyType = typeof JSON_TYPE | typeof FORM;
/** What a schema cannot say: a job that draws nothing, and an image that can be decoded. */
const KNOWN_VALUES: Record<string, unknown> = { prompt: DELAY, image: SMALL_PNG, model: 'general-image' };
const FILE = new Blob([Buffer.from(SMALL_PNG.split(',')[1] ?? '', 'base64')]);

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
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
  if (schema.format === 'binary') return fc.constantFrom(FILE, FILE.slice(0, 20));
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
  body: FormData | string | null;
  headers: Record<string, string>;
}

/** Each field as often as it has values; a file as a file, and what is no text as JSON. */
function toForm(body: unknown): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(Object(body) as object))
    for (const value of [values].flat())
      if (value instanceof Blob) form.append(name, value, 'a.png');
      else form.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return form;
}

function requestsOf(
  { route, type, schema, parameters, reference }: DescribedRequest,
  ids: string[],
): fc.Arbitrary<DrawnRequest> {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const places = fc.tuple(...names.map(() => fc.oneof(fc.constantFrom(...ids), anyText)));
  const query = fc.tuple(
    ...parameters
      .filter(({ name }) => !names.includes(name))
      .map(({ name, schema: allowed }) =>
        fc.option(valuesOf(allowed, reference)).map((value) => [name, value] as const),
      ),
  );
  const body = schema ? valuesOf(schema, reference) : fc.constant(undefined);
  return fc
    .record({ places, query, body, headers: anyHeaders })
    .map(({ places: chosen, query: sent, body: drawn, headers }): DrawnRequest => {
      const path = names.reduce(
        (text, name, index) => text.replace(`{${name}}`, escapeText(chosen[index] ?? '')),
        route,
      );
      const pairs = sent
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}=${escapeText(String(value))}`);
      const text = (): string | null => JSON.stringify(drawn) ?? null;
      return { path: `${path}?${pairs.join('&')}`, body: type === FORM ? toForm(drawn) : text(), headers };
    });
}

interface DescribedRequest {
  base: string;
  route: string;
  method: string;
  type: BodyType;
  /** Null where no body is described. */
  schema: Schema | null;
  parameters: { name: string; schema: Schema }[];
  reference: Reference;
}

function describedRequests(base: string, reference: Reference): DescribedRequest[] {
  return Object.entries(reference.paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const content: Partial<Record<BodyType, { schema: Schema }>> = requestBody?.content ?? {};
      const types = ([JSON_TYPE, FORM] as const).filter((type) => content[type]);
      return (types.length > 0 ? types : ([JSON_TYPE] as const)).map((type) => ({
        ...{ base, route, method, type, schema: content[type]?.schema ?? null, parameters, reference },
      }));
    }),
  );
}

/** Requests as the published documents describe them, with some values that they do not: none fails the service or hangs. */
export function describeDescribedRequests(testBed: TestBed): void {
  const requests = [
    ...describedRequests('/v1', readReference()),
    ...describedRequests('/openai/v1', readOpenAiReference()),
  ];

  describe('any described request', () => {
    it.each(requests)(
      '$method $base$route with $type is answered without a failure',
      async (request) => {
        const { id } = await testBed.client.generate({ prompt: DELAY });
        const origin = new URL(testBed.client.baseUrl).origin;
        await fc.assert(
          fc.asyncProperty(requestsOf(request, [id, '']), async ({ path, body, headers }) => {
            const sent = new Headers({ ...headers, authorization: `Bearer ${testBed.apiKey}` });
            // That of a form has its boundary.
            if (body instanceof FormData) sent.delete('content-type');
            else sent.set('content-type', JSON_TYPE);
            const response = await fetch(`${origin}${request.base}${path}`, {
              method: request.method.toUpperCase(),
              headers: sent,
              body,
              signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
            });
            expect(response.status).not.toBe(500);
            const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
            if (isStream) return await response.body?.cancel();
            const created = (await response.json().catch(() => null)) as Partial<Job> | null;
            const jobId = response.headers.get('x-kinora-job-id') ?? (created?.object === 'job' && created.id);
            if (jobId !== false) await testBed.client.post(`/jobs/${jobId}/cancel`);
          }),
          { numRuns: RUNS },
        );
        await testBed.client.post(`/jobs/${id}/cancel`);
      },
      SECTION_TIMEOUT_MS + RUNS * ANSWERED_WITHIN_MS,
    );
  });
}
