import { Controller, Delete, Get, HttpCode, Inject, Patch, Post, Req, Res, type Type } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Field } from './fields';
import { type GivenQuery, type ListQuery, queryOf } from './query-fields';

type Fields = Record<string, Field<unknown>>;
type OptionalNames<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends { isOptional: true } ? Name : never;
}[keyof Given];
type BodyOf<Given extends Fields> = {
  [Name in Exclude<keyof Given, OptionalNames<Given>>]: ReturnType<Given[Name]['read']>;
} & { [Name in OptionalNames<Given>]?: ReturnType<Given[Name]['read']> };
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request of a page. Its body and its query are checked when the handler reads them. */
interface Call<Param extends string, Name extends string, Body> {
  request: FastifyRequest;
  reply: FastifyReply;
  params: Record<Param, string>;
  query: GivenQuery<Name>;
  rawQuery: ListQuery;
  body: Body;
}

interface RouteFacts<Name extends string, Given extends Fields> {
  summary: string;
  query?: readonly Name[];
  body?: Given;
  /** Whether a field of the body that the route does not know is refused. */
  isStrict?: boolean;
  status?: number;
  /** The media type of an answer that is no JSON. */
  answer?: string;
  /** Whether the id in the path is no UUID. */
  hasTextId?: boolean;
}

/** A route of the pages of one half. The OpenAPI document is made of it, too. */
export type Route<Rights, Context, Answer> = RouteFacts<string, Fields> &
  Rights & {
    path: string;
    verb: (path: string) => MethodDecorator;
    handle: (call: Context & Call<string, string, object>) => Answer;
  };

/** Makes the routes of one half: what they declare of rights, and what their handlers get beside the request. */
export function routesOf<Rights, Context>() {
  const withVerb =
    (verb: (path: string) => MethodDecorator) =>
    <Path extends string, Answer, Name extends string = never, Given extends Fields = Record<never, never>>(
      path: Path,
      facts: RouteFacts<Name, Given> & Rights,
      handle: (call: Context & Call<ParamsOf<Path>, Name, BodyOf<Given>>) => Answer,
    ) =>
      ({ ...facts, path, verb, handle }) as unknown as Route<Rights, Context, Answer>;
  return { get: withVerb(Get), post: withVerb(Post), patch: withVerb(Patch), remove: withVerb(Delete) };
}

interface Half<Rights, Context, Services> {
  prefix: string;
  services: Type<Services>;
  contextOf: (services: Services, request: FastifyRequest) => Context;
  /** The decorator that declares the rights. */
  declare?: (rights: Rights) => MethodDecorator;
}

/** A controller that serves the routes, each under the name of its handler. */
export function controllerOf<Rights, Context, Services, Routes extends Record<string, Route<Rights, Context, unknown>>>(
  { prefix, services, contextOf, declare }: Half<Rights, Context, Services>,
  name: string,
  routes: Routes,
): Type & { routes: Routes } {
  @Controller(prefix)
  class RoutesController {
    static readonly routes = routes;
    constructor(@Inject(services) readonly services: Services) {}
  }
  Object.defineProperty(RoutesController, 'name', { value: name });
  const { prototype } = RoutesController;
  for (const [handler, route] of Object.entries(routes)) {
    const descriptor: PropertyDescriptor = {
      value(this: RoutesController, request: FastifyRequest, reply: FastifyReply): unknown {
        return route.handle(Object.assign(callOf(request, reply, route), contextOf(this.services, request)));
      },
    };
    Object.defineProperty(prototype, handler, descriptor);
    const decorators = [route.verb(route.path), HttpCode(route.status ?? 200), ...(declare ? [declare(route)] : [])];
    for (const decorate of decorators) decorate(prototype, handler, descriptor);
    Req()(prototype, handler, 0);
    Res({ passthrough: true })(prototype, handler, 1);
  }
  return RoutesController;
}

/** @throws ApiError not_found for an id that is none */
function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { query = [], body: fields = {}, isStrict = false, hasTextId = false }: RouteFacts<string, Fields>,
): Call<string, string, object> {
  const params = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(params))
    if (!hasTextId && !(name === 'number' ? NUMBER : UUID).test(value))
      throw new ApiError('not_found', 'There is nothing with this id.');
  const rawQuery = request.query as ListQuery;
  const body = isRecord(request.body) ? request.body : {};
  return {
    ...{ request, reply, params, rawQuery },
    get query() {
      return queryOf(rawQuery, query) as GivenQuery<string>;
    },
    get body() {
      const unknown = Object.keys(body).find((name) => isStrict && !Object.hasOwn(fields, name));
      if (unknown !== undefined)
        throw new ApiError('invalid_body', `${unknown} is not a field of this body.`, { param: unknown });
      const given = Object.entries(fields).filter(([name, { isOptional }]) => !isOptional || body[name] !== undefined);
      return Object.fromEntries(given.map(([name, { read }]) => [name, read(body, name)]));
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^-?\d+$/;
