import type { ErrorCode } from '@kinora/contracts/shared/errors';
import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import {
  API_VERSION_PARAM,
  type OpenAiBodyFacts,
  type OpenAiOperationFacts,
} from '../../../../apps/gateway/src/openai/openai-operation.decorator';
import type { JsonSchema } from '../contracts/json-schema';
import type { ApiRoute } from './api-routes';
import type { DeclaredTypes } from './declared-types';
import {
  IDEMPOTENCY_KEY_PARAMETER,
  QUOTE_PARAMETER,
  assertSameParameters,
  describeErrorCode,
  describeQuery,
} from './describe-operation';
import { commonHeaders, headerRef } from './error-responses';
import { openAiErrorResponses } from './openai-error-responses';
import { OPENAI_EXAMPLES } from './openai-examples';
import { fieldSchema } from './openapi-document';
import { toOpenApiSchema } from './openapi-schema';
import { fieldsOf } from './request-schemas';

type OpenAiApiRoute = ApiRoute<OpenAiOperationFacts>;

interface Components {
  types: DeclaredTypes;
  bodies: Record<string, JsonSchema>;
  itemClasses: Set<FieldsClass>;
}

const PATH_ID: JsonSchema = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a video of this account, or of a model. Any other value is answered 404.',
  schema: { type: 'string' },
};

const RANGE_PARAMETER: JsonSchema = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes. Several ranges, and other units, are answered with the whole file.',
  schema: { type: 'string', examples: ['bytes=0-1023'] },
};

export function describeOpenAiOperation(route: OpenAiApiRoute, components: Components): JsonSchema {
  const { operation, path, policy } = route;
  const { operationId, tag, summary, description, bodies = [], query } = operation;
  const own = policy.query.filter((name) => name !== API_VERSION_PARAM);
  assertSameParameters(path, own, query);
  const parameters = [
    ...(path.includes('{id}') ? [PATH_ID] : []),
    ...describeQuery(query, components.types),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY_PARAMETER, QUOTE_PARAMETER] : []),
    ...(operation.file === undefined ? [] : [RANGE_PARAMETER]),
  ];
  const describeCode = (code: ErrorCode): string => describeErrorCode(components.types, code);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(bodies.length > 0 && { requestBody: requestBody(operationId, bodies, components) }),
    responses: { ...successResponses(route, components.types), ...openAiErrorResponses(route, describeCode) },
  };
}

function requestBody(operationId: string, bodies: readonly OpenAiBodyFacts[], components: Components): JsonSchema {
  const content = bodies.map(({ mediaType, ...facts }) => {
    components.bodies[facts.fields] ??= bodySchema(facts, components);
    const schema = { $ref: `#/components/schemas/${facts.fields}` };
    // An example of a form would show its files as texts.
    const example = mediaType === 'application/json' ? exampleOf(operationId, 'request') : {};
    return [mediaType, { schema, ...example }] as const;
  });
  return { required: true, content: Object.fromEntries(content) };
}

/** The fields of the body of /v1, with those of OpenAI in their place or beside them. */
function bodySchema(
  { fields, like, without }: Omit<OpenAiBodyFacts, 'mediaType'>,
  { types, itemClasses }: Components,
): JsonSchema {
  types.schemaOf(fields);
  const own = toOpenApiSchema(types.definitions[fields] ?? {});
  const ownProperties = own.properties as Record<string, JsonSchema>;
  const others = fieldsOf(like).filter(({ name }) => !without.includes(name) && !(name in ownProperties));
  for (const { itemClass } of others) if (itemClass) itemClasses.add(itemClass);
  const required = [
    ...others.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    ...((own.required ?? []) as string[]),
  ];
  return {
    ...own,
    properties: {
      ...Object.fromEntries(others.map((field) => [field.name, fieldSchema(like.name, field, types)])),
      ...ownProperties,
    },
    ...(required.length > 0 && { required }),
  };
}

function successResponses({ controller, handler, operation }: OpenAiApiRoute, types: DeclaredTypes): JsonSchema {
  const { answer, answerType, file, streams, idempotent, operationId } = operation;
  const headers = { ...commonHeaders(), ...(idempotent && jobHeaders()) };
  if (file !== undefined) return fileResponses(answer, file, headers);
  const schema = toOpenApiSchema(
    answerType === undefined ? types.answerOf(controller, handler) : types.schemaOf(answerType),
  );
  const content = {
    'application/json': { schema, ...exampleOf(operationId, '200') },
    ...(streams && { 'text/event-stream': { schema: { type: 'string' }, ...exampleOf(operationId, 'stream') } }),
  };
  return { 200: { description: answer, headers, content } };
}

function fileResponses(answer: string, mediaType: string, headers: JsonSchema): JsonSchema {
  const content = { [mediaType]: { schema: { type: 'string', format: 'binary' } } };
  return {
    200: { description: answer, headers, content },
    206: { description: 'The part of the file that `Range` names.', headers, content },
    416: { description: 'The range lies beyond the end of the file. The response has no body.', headers },
  };
}

function jobHeaders(): JsonSchema {
  const names = ['X-Kinora-Job-Id', 'X-Kinora-Charged-Usd', 'X-Kinora-Ignored', 'Idempotency-Replayed'];
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]));
}

function exampleOf(operationId: string, part: string): JsonSchema {
  const examples = OPENAI_EXAMPLES[operationId];
  if (!examples)
    throw new Error(`Add an example of ${operationId} in deploy/build/generate/openapi/openai-examples.ts.`);
  const example = examples[part];
  return example === undefined ? {} : { example };
}
