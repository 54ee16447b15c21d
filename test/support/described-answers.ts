import type { IncomingHttpHeaders } from 'node:http';
import { type DescribedHeader, type DescribedResponse, readReference, schemaCompiler } from './published-reference';

/** A response with its parsed body; undefined where there was none. */
export interface ReceivedAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** The response where there is no endpoint, or where a request is refused before it is routed. */
const WITHOUT_OPERATION = [400, 401, 404, 429, 500, 503];
const ERROR_ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

/** Closed also where clients must expect further keys: a key that the reference does not name is a leak, or a gap in it. */
export const reference = readReference((key, value) =>
  key === 'additionalProperties' && value === true ? false : value,
);
const compile = schemaCompiler(reference);

/** Checks a response strictly against the published reference, so that it holds nothing undocumented. */
export function assertDescribed(method: string, url: string, answer: ReceivedAnswer): void {
  const problems = answerProblems(method, url, answer);
  if (problems.length === 0) return;
  const shown = JSON.stringify(answer.body)?.slice(0, 2000);
  throw new Error(
    `${method} ${url} answered ${answer.status} ${shown}, which differs from the reference:\n${problems.join('\n')}`,
  );
}

/** The differences between a response and the reference; `url` is relative to the base URL. */
export function answerProblems(method: string, url: string, answer: ReceivedAnswer): string[] {
  const responses = findResponses(method, url);
  const described = responses?.[answer.status];
  if (responses && !described) return [`The status ${answer.status} is not described.`];
  if (!responses && !WITHOUT_OPERATION.includes(answer.status)) return ['There is no such operation.'];
  return [
    ...headerProblems(described, answer),
    ...schemaProblems(described?.content?.['application/json'].schema ?? ERROR_ENVELOPE, answer.body, 'body'),
    ...requestIdProblems(answer),
  ];
}

function findResponses(method: string, url: string): Record<string, DescribedResponse> | undefined {
  const [requested = ''] = url.split('?', 1);
  const template = Object.keys(reference.paths).find((each) => toPattern(each).test(requested));
  return template === undefined ? undefined : reference.paths[template]?.[method.toLowerCase()]?.responses;
}

/** `/jobs/{id}` → every path with a text in that place. */
function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function headerProblems(response: DescribedResponse | undefined, { status, headers }: ReceivedAnswer): string[] {
  const type = headers.get('content-type');
  const typeProblems = type === JSON_TYPE ? [] : [`The Content-Type is ${type}.`];
  const expected = response ? Object.keys(response.headers) : expectedWithoutOperation(status);
  return Object.entries(reference.components.headers).reduce<string[]>((problems, [name, header]) => {
    const value = headers.get(name);
    if (value === null)
      return expected.includes(name) && header.required ? [...problems, `${name} is missing.`] : problems;
    if (!expected.includes(name)) return [...problems, `${name} is not described here.`];
    return [...problems, ...schemaProblems(header.schema, readHeader(value, header), name)];
  }, typeProblems);
}

function expectedWithoutOperation(status: number): string[] {
  const always = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining'];
  return status === 429 || status === 503 ? [...always, 'Retry-After'] : always;
}

function readHeader(value: string, { schema }: DescribedHeader): unknown {
  return schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
}

function requestIdProblems({ headers, body }: ReceivedAnswer): string[] {
  const named = (body as { error?: { request_id?: string } } | undefined)?.error?.request_id;
  return named === undefined || named === headers.get('x-request-id') ? [] : ['request_id is not X-Request-Id.'];
}

export function schemaProblems(schema: Record<string, unknown>, value: unknown, where: string): string[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${where}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Checks a webhook, as received, against the published reference. */
export function assertDescribedWebhook(headers: IncomingHttpHeaders, body: unknown): void {
  const problems = webhookProblems(headers, body);
  if (problems.length > 0) throw new Error(`The webhook differs from the reference:\n${problems.join('\n')}`);
}

export function webhookProblems(headers: IncomingHttpHeaders, body: unknown): string[] {
  const type = String(headers['x-service-event']);
  const webhook = reference.webhooks?.[type]?.post;
  if (!webhook) return [`The event ${type} is not described.`];
  const schema = webhook.requestBody?.content['application/json'].schema ?? {};
  return [
    ...(webhook.parameters ?? []).flatMap((header) =>
      schemaProblems(header.schema, headers[header.name.toLowerCase()] ?? null, header.name),
    ),
    ...schemaProblems(schema, body, 'body'),
  ];
}
