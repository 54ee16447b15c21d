import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import { VERSION } from '../../../../apps/gateway/src/ping/ping.controller';
import type { JsonSchema } from '../contracts/json-schema';
import { sourceFiles } from '../../source-files';
import { apiRoutesOf } from './api-routes';
import { DeclaredTypes } from './declared-types';
import { describeErrorCode, describeOperation } from './describe-operation';
import { describeWebhooks } from './describe-webhooks';
import { errorGuide } from './error-guide';
import { INTRODUCTION, TAGS } from './introduction';
import { componentName, toOpenApiSchema } from './openapi-schema';
import { type Field, fieldsOf } from './request-schemas';

export const CONTROLLER = /\.controller\.ts$/;
/** Types that are no handler's answer by name, but that clients and receivers get nevertheless. */
const OTHER_TYPES = ['ErrorEnvelope', 'WebhookEvent'];

export function openApiDocument(module: object): JsonSchema {
  const types = new DeclaredTypes([
    ...sourceFiles('apps/gateway/src', CONTROLLER),
    ...sourceFiles('libs/contracts/src', /\.(body|query)\.ts$/),
    'apps/gateway/src/http/error-answer.ts',
    'libs/contracts/src/jobs/webhook-event.ts',
  ]);
  const bodies = new Set<FieldsClass>();
  const paths: Record<string, JsonSchema> = {};
  for (const route of apiRoutesOf(module)) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(route, types, bodies) };
  }
  OTHER_TYPES.forEach((name) => types.schemaOf(name));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kinora',
      version: VERSION,
      summary: 'Images and videos from prompts: asynchronous, prepaid, moderated.',
      description: INTRODUCTION,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: '/v1', description: 'The server of this document.' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    'x-errors': errorGuide((code) => describeErrorCode(types, code)),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: sortByKey({ ...bodySchemas(bodies, types), ...namedSchemas(types) }),
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, as shown when it was issued: `knr_live_…`.',
        },
      },
    },
  };
}

export const HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': required("The id of this request in the service's logs. Errors repeat it as `request_id`.", {
    type: 'string',
    pattern: '^req_[0-9A-Za-z]{24,}$',
  }),
  'RateLimit-Limit': required(
    'Requests per minute that the API key may make; without a valid key, those of the client address.',
    {
      type: 'integer',
      minimum: 1,
    },
  ),
  'RateLimit-Remaining': required('Requests left now.', { type: 'integer', minimum: 0 }),
  'Retry-After': required('Whole seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }),
  'Idempotency-Replayed': {
    description: 'Present if the job was created by an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'Preference-Applied': {
    description: 'Present if the service has honoured `Prefer: wait=N`: the job has ended, or N seconds have passed.',
    schema: { type: 'string', pattern: '^wait=([1-9]|[1-5][0-9]|60)$' },
  },
};

export function required(description: string, schema: JsonSchema): JsonSchema {
  return { description, required: true, schema };
}

export function namedSchemas({ definitions }: DeclaredTypes): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [componentName(name), toOpenApiSchema(schema)]),
  );
}

/** The bodies, and the classes of items in their lists. */
export function bodySchemas(bodies: Set<FieldsClass>, types: DeclaredTypes): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  // A Set's iteration includes items that are added during it.
  for (const body of bodies) {
    const fields = fieldsOf(body);
    for (const { itemClass } of fields) if (itemClass) bodies.add(itemClass);
    schemas[body.name] = bodySchema(body, fields, types);
  }
  return schemas;
}

function bodySchema({ name }: FieldsClass, fields: Field[], types: DeclaredTypes): JsonSchema {
  const properties = fields.map((field) => [field.name, fieldSchema(name, field, types)] as const);
  const required = fields.filter(({ isRequired }) => isRequired).map((field) => field.name);
  return {
    description: types.describe(name),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of a field of a body, by its rules and its docstring. */
export function fieldSchema(owner: string, field: Field, types: DeclaredTypes): JsonSchema {
  const items = field.itemClass && { items: { $ref: `#/components/schemas/${field.itemClass.name}` } };
  const schema = { ...field.schema, ...items, ...types.describeField(owner, field.name) };
  return field.isRequired ? schema : nullable(schema);
}

/** Null stands for an optional field that was left out. */
function nullable({ type, enum: values, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    ...schema,
  };
}

export function sortByKey<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => one.localeCompare(other)));
}
