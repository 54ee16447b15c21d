import { RequestMethod, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { ConsoleConfig } from '../../../../apps/console/src/console.config';
import { CustomerModule } from '../../../../apps/console/src/customer/customer.module';
import { FORWARDED_ROUTES } from '../../../../apps/console/src/customer/forwarding/forwarded-routes';
import { type RouteAccess, halfOf } from '../../../../apps/console/src/http/route-access';
import type { OperatorRoute } from '../../../../apps/console/src/operator/pages/operator-route';
import { OperatorModule } from '../../../../apps/console/src/operator/operator.module';
import type { JsonSchema } from '../contracts/json-schema';
import { DeclaredTypes } from './declared-types';
import { CONTROLLER, namedSchemas, sortByKey } from './openapi-document';
import { toOpenApiSchema } from './openapi-schema';
import { sourceFiles } from '../../source-files';
import { CONSOLE_OPERATIONS, type ConsoleOperation } from './console-operations';

const API = '/admin/v1';
const GATEWAY = '../gateway/openapi.json#/paths/';

interface ConsoleRoute {
  controller: string;
  handler: string;
  method: string;
  path: string;
  status: number;
  access: RouteAccess;
  operation: ConsoleOperation | undefined;
}

/** Describes the backend of the console's pages. @throws Error if the routes and their descriptions do not match */
export function consoleDocument(): JsonSchema {
  const types = new DeclaredTypes(sourceFiles('apps/console/src', CONTROLLER));
  const routes = consoleRoutes();
  const described = new Set(routes.map(({ controller, handler }) => `${controller}.${handler}`));
  for (const name of Object.keys(CONSOLE_OPERATIONS))
    if (!described.has(name)) throw new Error(`${name} is described in console-operations.ts, and serves no route.`);
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: describe(route, types) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kinora console',
      version: '1.0.0',
      summary: "The backend of the console's pages.",
      description:
        'For the pages of the console, in the same release. It is no public API: programs use that of the gateway. A session is a ' +
        'cookie; a request that changes something carries the `csrf_token` of its session as `X-CSRF-Token`.',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: '/', description: 'The server of the pages.' }],
    security: [{ customer: [] }],
    tags: [
      { name: 'Customer', description: 'Needs a session of a customer, whose API key decides what it may do.' },
      { name: 'Operator', description: 'Needs a session of an operator, whose role decides what it may do.' },
    ],
    paths: { ...sortByKey(paths), ...forwardedPaths() },
    components: {
      schemas: sortByKey({ ...namedSchemas(types), ConsoleErrorEnvelope: ERROR }),
      responses: {
        Refused: error('The request is refused; `code` says why, and `param` names the field.'),
        Failed: error('A service does not answer, or fails.'),
      },
      securitySchemes: {
        customer: { type: 'apiKey', in: 'cookie', name: 'kinora-session' },
        operator: { type: 'apiKey', in: 'cookie', name: 'kinora-operator' },
      },
    },
  };
}

/** The console sends these to the gateway with the API key of the session, so their description is that of the gateway. */
function forwardedPaths(): Record<string, JsonSchema> {
  const paths = [...new Set(FORWARDED_ROUTES.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => [`${API}/customer${path}`, { $ref: GATEWAY + path.replaceAll('/', '~1') }]),
  );
}

function consoleRoutes(): ConsoleRoute[] {
  const customers = CustomerModule.forConfig(new ConsoleConfig()).controllers ?? [];
  const operators = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, OperatorModule) as Type[];
  const routes = [...customers, ...operators].flatMap((controller) => routesOf(controller));
  return routes.filter(({ path }) => path.startsWith(API) && !path.includes('*'));
}

function routesOf(controller: Type & { routes?: Record<string, OperatorRoute<unknown>> }): ConsoleRoute[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string | undefined;
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
    const target = prototype[handler];
    const verb = target && (Reflect.getMetadata(METHOD_METADATA, target) as RequestMethod | undefined);
    if (!target || verb === undefined) return [];
    const path = `/${[prefix, Reflect.getMetadata(PATH_METADATA, target) as string].join('/')}`.replace(/\/+$/, '');
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, target) as { access?: RouteAccess } | undefined;
    const status = Reflect.getMetadata(HTTP_CODE_METADATA, target) as number | undefined;
    return {
      ...{ controller: controller.name, handler, method: RequestMethod[verb].toLowerCase() },
      path: path.replace(/\/\/+/g, '/').replace(/:(\w+)/g, '{$1}'),
      ...{ status: status ?? (verb === RequestMethod.POST ? 201 : 200), access: config?.access ?? {} },
      operation: operationOf(controller.routes?.[handler]) ?? CONSOLE_OPERATIONS[`${controller.name}.${handler}`],
    };
  });
}

function operationOf(route: OperatorRoute<unknown> | undefined): ConsoleOperation | undefined {
  if (!route) return undefined;
  const { body: given, ...facts } = route;
  const fields = Object.entries(given ?? {});
  const optional = fields.filter(([, { isOptional }]) => isOptional).map(([name]) => name);
  return {
    ...facts,
    ...(given && { body: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])), optional }),
  };
}

function describe(route: ConsoleRoute, types: DeclaredTypes): JsonSchema {
  const { controller, handler, path, access, operation } = route;
  if (!operation)
    throw new Error(`${controller}.${handler} serves ${path}, and console-operations.ts does not describe it.`);
  const half = halfOf(path) === 'operator' ? 'operator' : 'customer';
  const isOpen = access.session === 'open';
  const parameters = parametersOf(route, operation);
  return {
    operationId: `${controller.replace(/Controller$/, '')}.${handler}`,
    tags: [half === 'operator' ? 'Operator' : 'Customer'],
    summary: operation.summary,
    ...(access.permission !== undefined && { description: needs(access.permission, access.isConfirmed === true) }),
    security: isOpen ? [] : [{ [half]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: bodyOf(operation.body, operation.optional ?? []) }),
    responses: answersOf(route, operation, types),
  };
}

function needs(permission: string, isConfirmed: boolean): string {
  const confirmed = isConfirmed ? ', and the password in the last five minutes' : '';
  return `Needs the permission \`${permission}\`${confirmed}.`;
}

function parametersOf({ path, method, access }: ConsoleRoute, { query = [] }: ConsoleOperation): JsonSchema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: name === 'number' ? 'integer' : 'string' } },
  }));
  const inQuery = query.map((name) => ({
    ...{ name, in: 'query', schema: { type: name === 'limit' ? 'integer' : 'string' } },
  }));
  const token = { name: 'X-CSRF-Token', in: 'header', required: true, schema: { type: 'string' } };
  return [...inPath, ...inQuery, ...(method !== 'get' && access.session !== 'open' ? [token] : [])];
}

function bodyOf(fields: Record<string, JsonSchema>, optional: string[]): JsonSchema {
  const required = Object.keys(fields).filter((field) => !optional.includes(field));
  const schema = { type: 'object', properties: fields, required };
  return { required: true, content: { 'application/json': { schema } } };
}

function answersOf(
  { controller, handler, status }: ConsoleRoute,
  { answer }: ConsoleOperation,
  types: DeclaredTypes,
): JsonSchema {
  const others = {
    '4XX': { $ref: '#/components/responses/Refused' },
    default: { $ref: '#/components/responses/Failed' },
  };
  if (answer === 'redirect') return { '302': { description: 'The browser is sent on.' }, ...others };
  const [type, schema] =
    answer === undefined
      ? ['application/json', toOpenApiSchema(types.answerOf(controller, handler))]
      : [answer, { type: 'string' }];
  return { [status]: { description: 'Done.', content: { [type]: { schema } } }, ...others };
}

function error(description: string): JsonSchema {
  const schema = { $ref: '#/components/schemas/ConsoleErrorEnvelope' };
  return { description, content: { 'application/json': { schema } } };
}

const NULLABLE_TEXT = { type: ['string', 'null'] };
const ERROR: JsonSchema = {
  description: 'Every refusal has this form.',
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        ...{ type: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
        ...{ param: NULLABLE_TEXT, request_id: { type: 'string' } },
      },
      required: ['type', 'code', 'message', 'param'],
    },
  },
  required: ['error'],
};
