import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Kinora } from './kinora';
import { ScriptedApi, type ScriptedAnswer, vectors } from './scripted-api.fixtures';

interface Case {
  operation: string;
  call: string;
  args?: string[];
  fields?: Record<string, unknown>;
  options?: Record<string, unknown>;
  request: {
    method: string;
    path: string;
    query?: Record<string, string>;
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  };
  iterates?: boolean;
  once?: boolean;
}
type Method = (...args: unknown[]) => unknown;

const { cases } = vectors<Case>('operations');
const EVENT = 'event: job.succeeded\ndata: {}\n\n';
const LIST = { object: 'list', data: [], has_more: false, next_cursor: null };

describe('the operations', () => {
  let api: ScriptedApi;
  beforeAll(async () => (api = await ScriptedApi.start()));
  afterAll(() => api.close());

  async function run({ call, args = [], fields, options, request, iterates }: Case): Promise<unknown> {
    const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL, maxRetries: 1 });
    const [name = '', ...groups] = call.split('.').toReversed();
    const target = groups.length === 0 ? kinora : kinora[groups[0] as 'jobs'];
    const method = (target as unknown as Record<string, Method>)[toCamel(name)] as Method;
    // Names of filters are written as in the language, and fields of a body as in the API.
    const given = request.method === 'GET' && fields ? renamed(fields) : fields;
    const result = method.call(target, ...args, ...(given ? [given] : []), ...(options ? [renamed(options)] : []));
    if (!iterates) return await result;
    const items: unknown[] = [];
    for await (const item of result as AsyncIterable<unknown>) items.push(item);
    return items;
  }

  it.each(cases)('$call sends what $operation describes', async (it) => {
    api.play(answerTo(it));
    await run(it);
    const [sent] = api.requests;
    const { pathname, searchParams } = new URL(sent?.path ?? '', 'http://api');
    const { method, path: expected, query = {}, body, headers = {} } = it.request;
    expect(api.requests).toHaveLength(1);
    expect([sent?.method, pathname]).toEqual([method, expected]);
    expect(Object.fromEntries(searchParams)).toEqual(query);
    expect(sent?.body ? JSON.parse(sent.body) : undefined).toEqual(body);
    expect(sent?.headers).toMatchObject({ ...headers, authorization: 'Bearer knr_test_x' });
  });

  it.each(cases.filter(({ once }) => once))('$call is not repeated after a failure', async (it) => {
    api.play({ status: 503, body: {} }, answerTo(it));
    await expect(run(it)).rejects.toMatchObject({ name: 'CapacityError' });
    expect(api.requests).toHaveLength(1);
  });

  it('are all of the published reference, with every parameter and every field', () => {
    expect(given(cases)).toEqual(published());
  });
});

function answerTo({ operation, iterates }: Case): ScriptedAnswer {
  if (operation === 'followJob') return { status: 200, headers: { 'content-type': 'text/event-stream' }, text: EVENT };
  return { status: 200, body: iterates ? LIST : { id: 'x' } };
}

const toCamel = (name: string) => name.replace(/_./g, (it) => it.slice(1).toUpperCase());
const renamed = (fields: object) => Object.fromEntries(Object.entries(fields).map(([name, it]) => [toCamel(name), it]));

/** The names of each operation's parameters and fields, by the id of the operation. */
type Names = Record<string, string[]>;

function given(all: readonly Case[]): Names {
  const names = all.map(({ operation, request: { query, body } }) => ({
    [operation]: [...Object.keys(query ?? {}), ...Object.keys(body ?? {})],
  }));
  const merged: Names = {};
  for (const [operation, some] of names.flatMap(Object.entries) as [string, string[]][])
    merged[operation] = [...new Set([...(merged[operation] ?? []), ...some])].toSorted();
  return merged;
}

interface Described {
  $ref?: string;
  in?: string;
  name?: string;
  schema?: Described;
  properties?: object;
  content?: Record<string, { schema: Described }>;
}

function published(): Names {
  const file = path.join(__dirname, '../../../apps/gateway/openapi.json');
  const reference = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, object> };
  const resolved = (value: Described): Described =>
    value.$ref === undefined
      ? value
      : resolved(
          value.$ref
            .slice(2)
            .split('/')
            .reduce((at: object, part) => (at as Record<string, object>)[part] as object, reference),
        );
  const names: Names = {};
  for (const methods of Object.values(reference.paths))
    for (const operation of Object.values(methods) as {
      operationId?: string;
      parameters?: Described[];
      requestBody?: Described;
    }[]) {
      if (operation.operationId === undefined) continue;
      const query = (operation.parameters ?? []).map(resolved).filter((it) => it.in === 'query');
      const [body] = Object.values(resolved(operation.requestBody ?? {}).content ?? {});
      const fields = Object.keys(resolved(body?.schema ?? {}).properties ?? {});
      names[operation.operationId] = [...query.map(({ name }) => name ?? ''), ...fields].toSorted();
    }
  return names;
}
