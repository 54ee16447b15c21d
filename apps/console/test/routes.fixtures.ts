import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { v7 as uuidv7 } from 'uuid';
import type { RouteAccess } from '../src/http/route-access';

export interface ServedRoute {
  method: string;
  /** As Fastify names it. */
  url: string;
  /** One of its paths. */
  path: string;
  access: RouteAccess;
}

/** Every route of a controller, from its metadata. */
export function routesOf(controller: Type): ServedRoute[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (!handler || method === undefined) return [];
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as { access?: RouteAccess } | undefined;
    const url = `/${[prefix, Reflect.getMetadata(PATH_METADATA, handler) as string].join('/').replace(/\/+$/, '')}`;
    const path = url.replace(/:(n|number)$/, '0').replace(/:(id|job)\b/, uuidv7());
    return [{ method: RequestMethod[method], url, path, access: config?.access ?? {} }];
  });
}
