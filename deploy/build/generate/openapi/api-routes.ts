import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { DEFAULT_POLICY, type RoutePolicyOptions } from '../../../../apps/gateway/src/http/route-policy';
import { OPERATION_METADATA, type OperationFacts } from '../../../../apps/gateway/src/reference/operation.decorator';

/** A route under /v1, read from the decorators of its handler, without starting an app. */
export interface ApiRoute {
  /** `JobsController` */
  controller: string;
  /** `get` */
  handler: string;
  method: string;
  /** `/jobs/{id}` */
  path: string;
  policy: RoutePolicyOptions;
  operation: OperationFacts;
}

/** Routes below these paths administer an account, and none may fall back to what its method needs. */
export const ADMINISTRATION = /^\/(account|webhooks)\//;

export type ControllerClass = { name: string; prototype: Record<string, unknown> };

/** Every route of a module under /v1. @throws Error for a route without a description */
export function apiRoutesOf(module: object): ApiRoute[] {
  return controllersOf(module).flatMap((controller) =>
    methodsOf(controller).flatMap(([handler, method]) => routeOf(controller, handler, method) ?? []),
  );
}

/** @throws Error for a description of a method that serves no route */
export function assertServed(controllers: ControllerClass[], module: object): void {
  const served = controllersOf(module);
  for (const controller of controllers) {
    for (const [handler, method] of methodsOf(controller)) {
      if (operationOf(method) === undefined) continue;
      const isServed = served.includes(controller) && verbOf(method) !== undefined;
      if (!isServed)
        throw new Error(
          `${controller.name}.${handler} has an @Operation, and serves no route. Add @Get() or @Post(), and name the controller in gateway.module.ts.`,
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

function routeOf(controller: ControllerClass, handler: string, method: object): ApiRoute | null {
  const verb = verbOf(method);
  if (verb === undefined) return null;
  const policy = policyOf(method);
  // Files, callbacks and the API reference are outside of /v1.
  if (['signed', 'callback', 'public'].includes(policy.access)) return null;
  const path = pathOf(controller, method);
  // The OpenAI-compatible API has a document of its own.
  if (path.startsWith('/openai/')) return null;
  const operation = operationOf(method);
  if (!operation)
    throw new Error(
      `${controller.name}.${handler} serves a route that no @Operation describes. Add @Operation({…}) above it.`,
    );
  if (ADMINISTRATION.test(path) && policy.scope === undefined)
    throw new Error(
      `${controller.name}.${handler} serves ${path} without a scope. Add scope: 'account' to its @RoutePolicy, or the scope of a key that may use it.`,
    );
  return { controller: controller.name, handler, method: RequestMethod[verb].toLowerCase(), path, policy, operation };
}

function verbOf(method: object): RequestMethod | undefined {
  return Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined;
}

function operationOf(method: object): OperationFacts | undefined {
  return Reflect.getMetadata(OPERATION_METADATA, method) as OperationFacts | undefined;
}

function policyOf(method: object): RoutePolicyOptions {
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method) as
    { policy?: RoutePolicyOptions } | undefined;
  return config?.policy ?? DEFAULT_POLICY;
}

/** `jobs` and `:id/cancel` → `/jobs/{id}/cancel`. */
function pathOf(controller: object, method: object): string {
  const parts = [controller, method].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return segments.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join('');
}
