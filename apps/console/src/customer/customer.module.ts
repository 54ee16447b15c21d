import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { LOGGER, type Logger, Readiness } from '@kinora/service-kit';
import type { ConsoleConfig } from '../console.config';
import { SessionModule } from '../session/session.module';
import { CustomerServices } from './customer-route';
import { CustomerBus, CustomerConnection } from './customer-connection';
import { ForwardController, MediaController } from './forward.controller';
import { ForwardRequest } from './forwarding/forward-request.use-case';
import { OpenAnswers } from './gateway/open-answers';
import { GatewayClient } from './gateway/gateway-client';
import { FileClient } from '../http/file-client';
import { KnownFiles } from './files/known-files';
import { SendMedia, Thumbnails } from './media/send-media.use-case';
import { KeyRights, PortalKeys } from './key-rights';
import { ExportCsv } from './money/export-csv.query';
import { StatementPages } from './money/statement-pages';
import { CheckoutsController } from './checkouts.controller';
import { MoneyController } from './money.controller';
import { MemberHook } from './members/member.hook';
import { MembersController, OwnAccountsController } from './members.controller';
import { CustomerOidcController } from './customer-oidc.controller';
import { PeopleController } from './people.controller';
import { PeopleSignIn } from './people-sign-in.use-case';
import { OpenPortal, SignIn } from './sign-in.use-case';
import { CustomerRequestsController, OwnJobsController } from './own-jobs.controller';
import { OwnSessions } from './own-sessions';
import { OwnSessionsController, SessionController } from './session.controller';
import { ProvenanceController } from './provenance.controller';
import { RequestsModule } from '../requests/requests.module';

const SIGNING_IN = [SignIn, OpenPortal, OwnSessions, PortalKeys, KeyRights];
const FORWARDING = [ForwardRequest, OpenAnswers];
const MEDIA = [SendMedia, KnownFiles, FileClient, Thumbnails];

/** The customers' half of the console: a client of the public API, with the API key of the session. */
@Module({})
export class CustomerModule {
  static forConfig(config: ConsoleConfig): DynamicModule {
    return {
      module: CustomerModule,
      imports: [SessionModule, RequestsModule],
      controllers: [
        SessionController,
        CustomerRequestsController,
        OwnJobsController,
        OwnSessionsController,
        MoneyController,
        CheckoutsController,
        ProvenanceController,
        PeopleController,
        CustomerOidcController,
        MembersController,
        OwnAccountsController,
        ForwardController,
        MediaController,
      ],
      providers: [
        ...busOf(config),
        GatewayClient,
        ...SIGNING_IN,
        PeopleSignIn,
        MemberHook,
        StatementPages,
        ExportCsv,
        CustomerServices,
        ...FORWARDING,
        ...MEDIA,
      ],
    };
  }
}

/** Beside the operators, the process's own connection has their rights, so this half opens one of its own. */
function busOf(config: ConsoleConfig): Provider[] {
  if (!config.servesOperators) return [{ provide: CustomerBus, useExisting: Bus }];
  return [
    {
      provide: CustomerConnection,
      useFactory: (logger: Logger, readiness: Readiness) => CustomerConnection.open(config, logger, readiness),
      inject: [LOGGER, Readiness],
    },
    { provide: CustomerBus, useFactory: ({ bus }: CustomerConnection) => bus, inject: [CustomerConnection] },
  ];
}
