import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@kinora/service-kit';
import type { FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../../console.config';
import { FileClient } from '../../http/file-client';
import { OPERATOR_API } from '../../http/route-access';
import { controllerOf as controllerOfHalf, type Route, routesOf } from '../../http/route-table';
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

interface Rights {
  needs: Permission;
  /** Whether the password must have been repeated within the last minutes. */
  isConfirmed?: boolean;
}

interface Context extends OperatorServices {
  by: Operator;
}

export type OperatorRoute<Answer> = Route<Rights, Context, Answer>;

export const { get, post, patch } = routesOf<Rights, Context>();

export const controllerOf = <Routes extends Record<string, OperatorRoute<unknown>>>(name: string, routes: Routes) =>
  controllerOfHalf(
    {
      prefix: OPERATOR_API.slice(1),
      services: OperatorServices,
      contextOf: (services: OperatorServices, { operator: by }: FastifyRequest): Context => {
        if (by === null) throw new Error('The request has no operator: the route is open.');
        return { ...services, by };
      },
      declare: ({ needs, isConfirmed = false }: Rights) => Requires(needs, { isConfirmed }),
    },
    name,
    routes,
  );
