import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { LOGGER, type Logger, Readiness } from '@kinora/service-kit';
import type { ConsoleConfig } from '../console.config';
import { SessionModule } from '../session/session.module';
import { CustomerBus } from './customer-bus';
import { CustomerConnection } from './customer-connection';
import { GatewayClient } from './gateway-client';
import { SessionController } from './session.controller';
import { SignIn } from './sign-in.use-case';

/** The customers' half of the console: a client of the public API, with the API key of the session. */
@Module({})
export class CustomerModule {
  static forConfig(config: ConsoleConfig): DynamicModule {
    return {
      module: CustomerModule,
      imports: [SessionModule],
      controllers: [SessionController],
      providers: [...busOf(config), GatewayClient, SignIn],
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
