import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { DEFAULT_POLICY, type RoutePolicyOptions } from '../../../../apps/gateway/src/http/route-policy';
import {
  OPENAI_OPERATION_METADATA,
  OPENAI_PATH,
  type OpenAiOperationFacts,
} from '../../../../apps/gateway/src/openai/openai-operation.decorator';
import { OPERATION_METADATA, type OperationFacts } from '../../../../apps/gateway/src/reference/operation.decorator';

/** A route of a document, read from the decorators of its handler, without starting an app. */
export interface ApiRoute<Facts = OperationFacts> {
  /** `JobsController` */
  controller: string;
  /** `get` */
  handler: string;
  method: string;
  /** `/jobs/{id}` */
  path: string;
  policy: RoutePolicyOptions;
  operation: Facts;
}

/** Routes below these paths administer an account, and none may fall back to what its method needs. */
export const ADMINISTRATION = /^\/(account|webhooks)\//;

interface DescribedApi {
  decorator: string;
  metadata: string;
  /** The part of its paths that is the server of the document. */
  prefix: string;
}

const API: DescribedApi = { decorator: '@Operation', metadata: OPERATION_METADATA, prefix: '' };
const OPENAI_API: DescribedApi = {
  decorator: '@OpenAiOperation',
  metadata: OPENAI_OPERATION_METADATA,
  prefix: `/${OPENAI_PATH}`,
};

export type ControllerClass = { name: string; prototype: Record<string, unknown> };

/** Every route of a module under /v1. @throws Error for a route without a description */
export function apiRoutesOf(module: object): ApiRoute[] {
  return routesOf<OperationFacts>(module, API);
}

/** Every route of the OpenAI-compatible API. @throws Error for a route without a description */
export function openAiRoutesOf(module: object): ApiRoute<OpenAiOperationFacts>[] {
  return routesOf<OpenAiOperationFacts>(module, OPENAI_API);
}

/** @throws Error for a description of a method that serves no route */
export function assertServed(controllers: ControllerClass[], module: object): void {
  const served = controllersOf(module);
  for (const controller of controllers) {
    for (const [handler, method] of methodsOf(controller)) {
      const described = [API, OPENAI_API].find(({ metadata }) => factsOf(metadata, method) !== undefined);
      const isServed = served.includes(controller) && verbOf(method) !== undefined;
      if (described && !isServed)
        throw new Error(
          `${controller.name}.${handler} has an ${described.decorator}, and serves no route. Add @Get() or @Post(), and name the controller in gateway.module.ts.`,
        );
    }
  }
}

function controllersOf(module: object): ControllerClass[] {
  return Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as ControllerClass[];
}

function methodsOf({ prototype }: ControllerClass): [name: string, method: object][] {
  return Object.getOwnPropertyNames(prototype).map((name) => [name, prototype[name] as object]);
}

function routesOf<Facts>(module: object, api: DescribedApi): ApiRoute<Facts>[] {
  return controllersOf(module).flatMap((controller) =>
    methodsOf(controller).flatMap(([handler, method]) => routeOf<Facts>(controller, { handler, method }, api) ?? []),
  );
}

function routeOf<Facts>(
  controller: ControllerClass,
  { handler, method }: { handler: string; method: object },
  { decorator, metadata, prefix }: DescribedApi,
): ApiRoute<Facts> | null {
  const verb = verbOf(method);
  if (verb === undefined) return null;
  const policy = policyOf(method);
  // Files, callbacks, events and the API reference are outside of /v1.
  if (['signed', 'callback', 'event', 'public'].includes(policy.access)) return null;
  const path = pathOf(controller, method);
  const isOpenAi = path.startsWith(`${OPENAI_API.prefix}/`);
  if (isOpenAi !== (prefix === OPENAI_API.prefix)) return null;
  const operation = factsOf(metadata, method) as Facts | undefined;
  if (!operation)
    throw new Error(
      `${controller.name}.${handler} serves a route that no ${decorator} describes. Add ${decorator}({…}) above it.`,
    );
  if (ADMINISTRATION.test(path) && policy.scope === undefined)
    throw new Error(
      `${controller.name}.${handler} serves ${path} without a scope. Add scope: 'account' to its @RoutePolicy, or the scope of a key that may use it.`,
    );
  return {
    ...{ controller: controller.name, handler, method: RequestMethod[verb].toLowerCase() },
    ...{ path: path.slice(prefix.length), policy, operation },
  };
}

function verbOf(method: object): RequestMethod | undefined {
  return Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined;
}

function factsOf(metadata: string, method: object): unknown {
  return Reflect.getMetadata(metadata, method) as unknown;
}

function policyOf(method: object): RoutePolicyOptions {
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method) as
    | { policy?: RoutePolicyOptions }
    | undefined;
  return config?.policy ?? DEFAULT_POLICY;
}

/** `jobs` and `:id/cancel` → `/jobs/{id}/cancel`. */
function pathOf(controller: object, method: object): string {
  const parts = [controller, method].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return segments.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join('');
}
