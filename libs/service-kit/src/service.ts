import { type DynamicModule, type INestApplicationContext, Module, type Provider, type Type } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { BusModule, type NatsConnection, connectNats } from '@kinora/bus';
import { collectDefaultMetrics } from 'prom-client';
import { ConfigError, loadConfig } from './config/load-config';
import { ServiceConfig } from './config/service.config';
import { HealthServer } from './health/health.server';
import { Readiness } from './health/readiness';
import { type Logger, createLogger } from './logging/logger';
import { LOGGER } from './logging/logger.token';

/** A stop that takes longer than this has failed: whoever waits for the process would kill it anyway. */
const SHUTDOWN_TIMEOUT_MS = 8_000;

export interface ServiceDefinition<Config extends ServiceConfig> {
  /** The context's name, which is also its queue group on the bus. */
  name: string;
  config: new () => Config;
  module: Type;
}

/** A service before it serves: configured, logging, connected to the bus. */
export interface PreparedService<Config extends ServiceConfig> {
  config: Config;
  logger: Logger;
  connection: NatsConnection;
  /** The service's module with all that the kit gives: config, logger, bus, readiness and probes. */
  rootModule: DynamicModule;
}

@Module({})
class ServiceRootModule {}

/** Reads the configuration and connects. A bad setting ends the process with one line that names it. */
export async function prepareService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
): Promise<PreparedService<Config>> {
  const config = loadConfigOrExit(definition.config);
  const logger = createLogger(definition.name, config.logLevel);
  endOnUnforeseenErrors(logger);
  collectDefaultMetrics();
  const connection = await connectNats({ url: config.natsUrl, name: definition.name, logger });
  return { config, logger, connection, rootModule: rootModule(definition.module, config, logger, connection) };
}

/** Stops the service in order on SIGTERM and SIGINT: no new work, finish the old, then let go of the broker. */
export function stopOnSignals(app: INestApplicationContext, service: PreparedService<ServiceConfig>): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    service.logger.info({ signal }, 'service_stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    app.get(Readiness).markStopping();
    await app.close();
    await service.connection.close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

function rootModule(module: Type, config: ServiceConfig, logger: Logger, connection: NatsConnection): DynamicModule {
  const kit: DynamicModule = {
    module: ServiceRootModule,
    global: true,
    imports: [TerminusModule.forRoot({ logger: false }), BusModule.forConnection(connection, logger)],
    providers: [...configProviders(config), { provide: LOGGER, useValue: logger }, Readiness, HealthServer],
    exports: [...configProviders(config), LOGGER, Readiness, HealthServer],
  };
  return { module: class RootModule {}, imports: [kit, module] };
}

/** The config under its own class and under every class it extends, so that a library can ask for the part it knows. */
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

function loadConfigOrExit<Config extends ServiceConfig>(configClass: new () => Config): Config {
  try {
    return loadConfig(configClass, process.env);
  } catch (error) {
    return exitOnConfigError(error);
  }
}

/** A setting or an operator's file that cannot be used ends the process with the one line that names it. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** After an error that nobody foresaw the process's state is unknown; a fresh one is safer than this one. */
function endOnUnforeseenErrors(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ stack: error instanceof Error ? error.stack : String(error) }, 'service_crashed');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
