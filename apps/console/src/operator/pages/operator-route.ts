import { Controller, Get, HttpCode, Inject, Injectable, Patch, Post, Req, type Type } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { LOGGER, type Logger } from '@kinora/service-kit';
import type { FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../../console.config';
import { type GivenQuery, type ListQuery, queryOf } from '../../http/query-fields';
import type { Field } from './fields';
import { FileClient } from '../../http/file-client';
import { OPERATOR_API } from '../../http/route-access';
import { ListRequests } from '../../requests/list-requests.query';
import { AuditTrail } from '../audit/audit-trail';
import { CheckResults } from '../checks/check-results';
import { ManageOperators } from '../users/manage-operators';
import { type Operator, OperatorBus } from '../users/operator';
import { type Permission, Requires } from '../users/permissions';

/** What the handlers of the operators' pages work with. */
@Injectable()
export class OperatorServices {
  @Inject(LOGGER)
  readonly logger!: Logger;

  constructor(
    readonly config: ConsoleConfig,
    readonly bus: OperatorBus,
    readonly audit: AuditTrail,
    readonly checks: CheckResults,
    readonly files: FileClient,
    readonly operators: ManageOperators,
    readonly listRequests: ListRequests,
  ) {}
}

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

/** A request of an operator. Its body and its query are checked when the handler reads them. */
interface Call<Param extends string, Name extends string, Body> extends OperatorServices {
  by: Operator;
  params: Record<Param, string>;
  query: GivenQuery<Name>;
  rawQuery: ListQuery;
  body: Body;
}

interface RouteFacts<Name extends string, Given extends Fields> {
  summary: string;
  needs: Permission;
  /** Whether the password must have been repeated within the last minutes. */
  isConfirmed?: boolean;
  query?: readonly Name[];
  body?: Given;
  status?: number;
  /** The media type of an answer that is no JSON. */
  answer?: string;
  /** Whether the id in the path is no UUID. */
  hasTextId?: boolean;
}

/** A route of the operators' pages. The OpenAPI document is made of it, too. */
export interface OperatorRoute<Answer> extends RouteFacts<string, Fields> {
  path: string;
  verb: (path: string) => MethodDecorator;
  handle: (call: Call<string, string, object>) => Answer;
}

function routesWith(verb: OperatorRoute<unknown>['verb']) {
  return <Path extends string, Answer, Name extends string = never, Given extends Fields = Record<never, never>>(
    path: Path,
    facts: RouteFacts<Name, Given>,
    handle: (call: Call<ParamsOf<Path>, Name, BodyOf<Given>>) => Answer,
  ): OperatorRoute<Answer> => ({ ...facts, path, verb, handle: handle as OperatorRoute<Answer>['handle'] });
}

export const get = routesWith(Get);
export const post = routesWith(Post);
export const patch = routesWith(Patch);

/** A controller that serves the routes, each under the name of its handler. */
export function controllerOf<Routes extends Record<string, OperatorRoute<unknown>>>(
  name: string,
  routes: Routes,
): Type & { routes: Routes } {
  @Controller(OPERATOR_API.slice(1))
  class RoutesController {
    static readonly routes = routes;
    constructor(readonly services: OperatorServices) {}
  }
  Object.defineProperty(RoutesController, 'name', { value: name });
  const { prototype } = RoutesController;
  for (const [handler, { path, verb, needs, isConfirmed = false, status = 200, ...route }] of Object.entries(routes)) {
    const descriptor: PropertyDescriptor = {
      value(this: RoutesController, request: FastifyRequest): unknown {
        return route.handle(callOf(this.services, request, route));
      },
    };
    Object.defineProperty(prototype, handler, descriptor);
    for (const decorate of [verb(path), HttpCode(status), Requires(needs, { isConfirmed })])
      decorate(prototype, handler, descriptor);
    Req()(prototype, handler, 0);
  }
  return RoutesController;
}

type Checked = Pick<OperatorRoute<unknown>, 'query' | 'body' | 'hasTextId'>;

/** @throws ApiError not_found for an id that is none */
function callOf(
  services: OperatorServices,
  request: FastifyRequest,
  { query = [], body: fields = {}, hasTextId = false }: Checked,
): Call<string, string, object> {
  const { operator: by, body } = request;
  if (by === null) throw new Error('The request has no operator: the route is open.');
  const params = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(params))
    if (!hasTextId && !(name === 'number' ? NUMBER : UUID).test(value))
      throw new ApiError('not_found', 'There is nothing with this id.');
  const rawQuery = request.query as ListQuery;
  return {
    ...{ ...services, by, params, rawQuery },
    get query() {
      return queryOf(rawQuery, query) as GivenQuery<string>;
    },
    get body() {
      const given = Object.entries(fields).filter(
        ([name, { isOptional }]) => !isOptional || (body as ListQuery | null)?.[name] !== undefined,
      );
      return Object.fromEntries(given.map(([name, { read }]) => [name, read(body, name)]));
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^-?\d+$/;
