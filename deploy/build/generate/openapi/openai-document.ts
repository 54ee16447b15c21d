import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import { OPENAI_PATH } from '../../../../apps/gateway/src/openai/openai-operation.decorator';
import { VERSION } from '../../../../apps/gateway/src/ping/ping.controller';
import type { JsonSchema } from '../contracts/json-schema';
import { sourceFiles } from '../../source-files';
import { openAiRoutesOf } from './api-routes';
import { DeclaredTypes } from './declared-types';
import { describeOpenAiOperation } from './describe-openai-operation';
import { OPENAI_INTRODUCTION, OPENAI_TAGS } from './openai-introduction';
import { CONTROLLER, HEADERS, bodySchemas, namedSchemas, required, sortByKey } from './openapi-document';

/** The headers that /v1 does not have, and one that it explains otherwise. */
const OPENAI_HEADERS: Record<string, JsonSchema> = {
  ...HEADERS,
  'X-Request-Id': required("The id of this request in the service's logs.", {
    type: 'string',
    pattern: '^req_[0-9A-Za-z]{24,}$',
  }),
  'X-Kinora-Job-Id': required('The id of the job, for `/v1`.', { type: 'string', format: 'uuid' }),
  'X-Kinora-Charged-Usd': required(
    'The price of the job in USD: the reserved amount while it is in flight, 0 after a refund.',
    { type: 'string', pattern: '^[0-9.e-]+$' },
  ),
  'X-Kinora-Ignored': {
    description: 'The fields that were sent and change nothing, separated by commas.',
    schema: { type: 'string' },
  },
  'x-should-retry': {
    description: '`false` where a repeat cannot help. The clients of OpenAI obey it.',
    schema: { type: 'string', const: 'false' },
  },
};

/** Describes the OpenAI-compatible API of a module from its code. */
export function openAiDocument(module: object): JsonSchema {
  const types = new DeclaredTypes([
    ...sourceFiles('apps/gateway/src/openai', CONTROLLER),
    ...sourceFiles('libs/contracts/src', /\.(body|query)\.ts$/),
    ...['openai-bodies', 'openai-error', 'openai-images'].map((name) => `apps/gateway/src/openai/${name}.ts`),
  ]);
  const itemClasses = new Set<FieldsClass>();
  const bodies: Record<string, JsonSchema> = {};
  const paths: Record<string, JsonSchema> = {};
  for (const route of openAiRoutesOf(module))
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: describeOpenAiOperation(route, { types, bodies, itemClasses }),
    };
  types.schemaOf('OpenAiErrorBody');
  const { 'Preference-Applied': _unused, ...headers } = OPENAI_HEADERS;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kinora for clients of OpenAI',
      version: VERSION,
      summary: "OpenAI's Images and Videos API over the models of Kinora.",
      description: OPENAI_INTRODUCTION,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: `/${OPENAI_PATH}`, description: 'The server of this document.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: OPENAI_TAGS,
    paths,
    components: {
      // The schema of a request replaces that of its fields alone.
      schemas: sortByKey({ ...namedSchemas(types), ...bodySchemas(itemClasses, types), ...bodies }),
      headers,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, as shown when it was issued: `knr_live_…`.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'api-key',
          description: "The same key, as Azure's clients send it.",
        },
      },
    },
  };
}
