import { Injectable } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ConsoleConfig } from '../console.config';
import { controllerOf as controllerOfHalf, type Route, routesOf } from '../http/route-table';
import { ListRequests } from '../requests/list-requests.query';
import { sessionOf } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KnownFiles } from './files/known-files';
import { FORWARDED_PREFIX } from './forwarding/forwarded-routes';
import { OpenAnswers } from './gateway/open-answers';
import { KeyRights } from './key-rights';
import { ExportCsv } from './money/export-csv.query';
import { PeopleSignIn } from './people-sign-in.use-case';

/** What the handlers of the customers' pages work with. */
@Injectable()
export class CustomerServices {
  constructor(
    readonly config: ConsoleConfig,
    readonly rights: KeyRights,
    readonly csv: ExportCsv,
    readonly answers: OpenAnswers,
    readonly files: KnownFiles,
    readonly signIn: PeopleSignIn,
    readonly listRequests: ListRequests,
  ) {}
}

interface Context extends CustomerServices {
  session: Session;
  /** Asks with the proof of the session's key. */
  ask: <Request extends PresentedKeyRequest, Response>(
    contract: RpcContract<Request, Response>,
    fields: Omit<Request, keyof PresentedKeyRequest>,
  ) => Promise<Response>;
}

/** Its permission stands in the table of `permissions.ts`. */
type CustomerRoute = Route<object, Context, unknown>;

export const { get, post, remove } = routesOf<object, Context>();

export const controllerOf = <Routes extends Record<string, CustomerRoute>>(name: string, routes: Routes) =>
  controllerOfHalf<object, Context, CustomerServices, Routes>(
    {
      prefix: FORWARDED_PREFIX.slice(1),
      services: CustomerServices,
      contextOf: (services: CustomerServices, request): Context => {
        const session = sessionOf(request);
        return {
          ...services,
          session,
          ask: (contract, fields) => services.rights.request(contract, session, fields),
        };
      },
    },
    name,
    routes,
  );
