import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import { QUOTE_ID } from '@kinora/contracts/jobs/quote';
import type { ErrorCode } from '@kinora/contracts/shared/errors';
import type { OperationFacts } from '../../../../apps/gateway/src/reference/operation.decorator';
import { IDEMPOTENCY_KEY } from '../../../../apps/gateway/src/jobs/job-post';
import type { JsonSchema } from '../contracts/json-schema';
import type { ApiRoute } from './api-routes';
import type { DeclaredTypes } from './declared-types';
import { commonHeaders, errorResponses, headerRef } from './error-responses';
import { EXAMPLES } from './examples';
import { toOpenApiSchema } from './openapi-schema';
import { fieldsOf } from './request-schemas';

const PATH_PARAMETERS: Record<string, JsonSchema> = {
  id: {
    description: 'The id of an object of this account. Any other value, also one that is no UUID, is answered 404.',
    schema: { type: 'string', format: 'uuid' },
  },
};

export const IDEMPOTENCY_KEY_PARAMETER: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the request: the same key with the same body returns the job that was created the ' +
    'first time, and nothing is charged twice. Keys belong to the account and are remembered for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY.source },
};

const PREFER_PARAMETER: JsonSchema = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`wait=N` (RFC 7240) asks the service to answer when the job has ended, or after N seconds with the job as it then is. N is ' +
    '1 to 60 whole seconds; more counts as 60. Anything else is ignored. At most 200 requests of a key wait at once, and those of ' +
    'an account take a quarter of a gateway; further ones are answered without waiting. Disconnecting cancels nothing.',
  schema: { type: 'string', examples: ['wait=30'] },
};

export const QUOTE_PARAMETER: JsonSchema = {
  name: 'X-Service-Quote',
  in: 'header',
  required: false,
  description:
    'The `id` of a quote of this account, for this operation. The job costs what was quoted, whatever the price list says now. A ' +
    'request with another price than the quoted one is refused; a replay ignores the header.',
  schema: { type: 'string', pattern: QUOTE_ID.source },
};

/** An operation of the document; the classes of its body are added to `bodies` for the components. */
export function describeOperation(route: ApiRoute, types: DeclaredTypes, bodies: Set<FieldsClass>): JsonSchema {
  const { operation, policy } = route;
  const { operationId, tag, summary, description, body } = operation;
  if (body) bodies.add(body);
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, types),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY_PARAMETER, QUOTE_PARAMETER] : []),
    ...(operation.waits ? [PREFER_PARAMETER] : []),
  ];
  const describeCode = (code: ErrorCode): string => describeErrorCode(types, code);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(policy.access === 'open' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(route, body) }),
    responses: { ...successResponses(route, types), ...errorResponses(route, describeCode) },
  };
}

function pathParameters({ path }: ApiRoute): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const parameter = PATH_PARAMETERS[name];
    if (!parameter)
      throw new Error(`${path}: ${name} has no description: add it to PATH_PARAMETERS in describe-operation.ts.`);
    return { name, in: 'path', required: true, ...parameter };
  });
}

function queryParameters({ path, policy, operation: { query } }: ApiRoute, types: DeclaredTypes): JsonSchema[] {
  assertSameParameters(path, policy.query, query);
  return describeQuery(query, types);
}

/** @throws Error if the route policy allows other parameters than the handler reads */
export function assertSameParameters(path: string, allowed: readonly string[], query: FieldsClass | undefined): void {
  const names = query ? fieldsOf(query).map(({ name }) => name) : [];
  if (names.toString() !== allowed.toString()) {
    throw new Error(
      `${path}: the route policy allows the parameters ${allowed.join(', ')}, but the handler reads ${names.join(', ')}.`,
    );
  }
}

export function describeQuery(query: FieldsClass | undefined, types: DeclaredTypes): JsonSchema[] {
  return (query ? fieldsOf(query) : []).map(({ name, isRequired, schema }) => {
    const { description, ...keywords } = types.describeField(query?.name ?? '', name);
    return { name, in: 'query', required: isRequired, description, schema: { ...schema, ...keywords } };
  });
}

function requestBody({ operation: { operationId }, policy }: ApiRoute, { name }: FieldsClass): JsonSchema {
  const schema = { $ref: `#/components/schemas/${name}` };
  const files = Object.keys(policy.files).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return {
    required: !policy.isBodyOptional,
    content: { 'application/json': { schema, ...exampleOf(operationId, 'request') }, ...Object.fromEntries(files) },
  };
}

function successResponses({ controller, handler, operation }: ApiRoute, types: DeclaredTypes): JsonSchema {
  // The handler of a stream answers by itself, so its return type says nothing.
  const schema = operation.streams === 'only' ? {} : toOpenApiSchema(types.answerOf(controller, handler));
  const replayed = operation.idempotent ? { 'Idempotency-Replayed': headerRef('Idempotency-Replayed') } : {};
  const waited = operation.waits ? { 'Preference-Applied': headerRef('Preference-Applied') } : {};
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, description]) => {
      const headers = { ...commonHeaders(), ...(status === '200' && replayed), ...waited };
      const content = contentOf(operation, schema, status);
      return [status, { description, headers, ...(content && { content }) }];
    }),
  );
}

function contentOf({ operationId, streams }: OperationFacts, schema: JsonSchema, status: string): JsonSchema | null {
  // The return type belongs to the statuses with a body.
  if (status === '204') return null;
  return {
    ...(streams !== 'only' && { 'application/json': { schema, ...exampleOf(operationId, status) } }),
    ...(streams && { 'text/event-stream': { schema: { type: 'string' }, ...exampleOf(operationId, 'stream') } }),
  };
}

function exampleOf(operationId: string, part: string): JsonSchema {
  const examples = EXAMPLES.operations[operationId];
  if (!examples) throw new Error(`Add an example of ${operationId} in deploy/build/generate/openapi/examples.ts.`);
  const example = examples[part];
  return example === undefined ? {} : { example };
}

/** @throws Error for a code without a docstring, because the reference must explain every code */
export function describeErrorCode(types: DeclaredTypes, code: ErrorCode): string {
  const { description } = types.describeField('TYPE_BY_CODE', code);
  if (typeof description !== 'string')
    throw new Error(`Add a docstring for ${code} to TYPE_BY_CODE (libs/contracts/src/shared/errors.ts).`);
  return description;
}
