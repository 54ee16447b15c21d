import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Bus, BusModule, type NatsConnection } from '@kinora/bus';
import { Clock, SYSTEM_CLOCK } from './clock';
import type { ServiceConfig } from './config/service.config';
import { HealthServer } from './health/health.server';
import { Readiness } from './health/readiness';
import type { Logger } from './logging/logger';
import { LOGGER } from './logging/logger.token';

/** Providers that every service can inject: its config, the logger, the clock, the bus, readiness and the probes. */
@Module({})
export class KitModule {
  constructor(readiness: Readiness, bus: Bus) {
    readiness.add('broker', () => bus.pingBroker());
    readiness.add('broker_rights', () => assertNothingRefused(bus));
  }

  static forService(
    config: ServiceConfig,
    logger: Logger,
    connection: NatsConnection,
    clock = SYSTEM_CLOCK,
  ): DynamicModule {
    const shared: Provider[] = [
      ...configProviders(config),
      { provide: LOGGER, useValue: logger },
      { provide: Clock, useValue: clock },
      Readiness,
      HealthServer,
    ];
    return {
      module: KitModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false }), BusModule.forConnection(connection, logger)],
      providers: shared,
      exports: shared,
    };
  }
}

/** Without the subjects: some callers of the report are no operators. The log and the metric name them. */
async function assertNothingRefused(bus: Bus): Promise<void> {
  const count = bus.countRefusals();
  if (count > 0) throw new Error(`the broker refuses ${count} rights of this service`);
}

/** Provides the config under its own class and every class it extends, so that a library can inject only the part it uses. */
function configProviders(config: ServiceConfig): Provider[] {
  const providers: Provider[] = [];
  for (
    let type = config.constructor;
    type !== Object && type.name !== '';
    type = Object.getPrototypeOf(type) as typeof type
  ) {
    providers.push({ provide: type, useValue: config });
  }
  return providers;
}
