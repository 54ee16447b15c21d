import type { DynamicModule, Type } from '@nestjs/common';
import { type NatsConnection, connectNats, withTimeout } from '@kinora/bus';
import { collectDefaultMetrics } from '@kinora/metrics';
import { startTracing } from '@kinora/tracing';
import { ConfigError } from './config/config-problem';
import { loadConfig } from './config/load-config';
import type { ServiceConfig } from './config/service.config';
import { armCrashPoints } from './crash-points/crash-point';
import { CrashConfig } from './crash-points/crash.config';
import { KitModule } from './kit.module';
import { type Logger, createLogger } from './logging/logger';

/**
 * Sampling interval of the event loop delay, and therefore the smallest lag that the metrics report. At prom-client's default
 * of ten milliseconds, sampling would be most of the work of an idle service.
 */
const EVENT_LOOP_SAMPLE_MS = 50;

/** Time limit for the last export of traces at the end of a service. */
const STOP_TRACING_TIMEOUT_MS = 1_500;

export interface ServiceDefinition<Config extends ServiceConfig> {
  /** The context's name, which is also its queue group on the bus. */
  name: string;
  config: new () => Config;
  /** A module whose providers depend on the configuration is created by `forConfig`. */
  module: Type | { forConfig: (config: Config) => DynamicModule };
}

/** A service before it accepts work: configured, with a logger, connected to the bus. */
export interface PreparedService<Config extends ServiceConfig> {
  config: Config;
  logger: Logger;
  connection: NatsConnection;
  /** The service's module with the providers of the kit: config, logger, bus, readiness and probes. */
  rootModule: DynamicModule;
  /** Exports the last spans, with a short time limit. */
  stopTracing: () => Promise<void>;
}

/** Reads the configuration and connects. An invalid setting ends the process with one line that names it. */
export async function prepareService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
): Promise<PreparedService<Config>> {
  const config = loadConfigOrExit(definition.config);
  armCrashPointsOrExit();
  const logger = createLogger(definition.name, config.logLevel);
  const crash = crashWith(logger);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  logger.info({}, 'service_starting');
  const endTracing = await startTracing({
    ...config.tracing,
    service: definition.name,
    onStateChange: (state, reason) => logger.warn({ reason }, `traces_${state}`),
  });
  const stopTracing = (): Promise<void> => withTimeout(endTracing(), STOP_TRACING_TIMEOUT_MS, () => undefined);
  const connection = await connectNats({
    url: config.natsUrl,
    name: definition.name,
    logger,
    tlsFiles: config.natsTls,
    streamReplicas: config.natsStreamReplicas || null,
  });
  // The client closes for good if its credentials are refused. A service without messages must not appear alive, so it ends.
  void connection.closed().then((reason) => reason && crash(reason));
  const kit = KitModule.forService(config, logger, connection);
  const module = 'forConfig' in definition.module ? definition.module.forConfig(config) : definition.module;
  const rootModule = { module: class RootModule {}, imports: [kit, module] };
  return { config, logger, connection, rootModule, stopTracing };
}

function loadConfigOrExit<Config extends ServiceConfig>(configClass: new () => Config): Config {
  try {
    return loadConfig(configClass, process.env);
  } catch (error) {
    return exitOnConfigError(error);
  }
}

function armCrashPointsOrExit(): void {
  try {
    armCrashPoints(loadConfig(CrashConfig, process.env));
  } catch (error) {
    exitOnConfigError(error);
  }
}

/** Ends the process with one line if a setting or an operator's file is invalid. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** After an unexpected error the state of the process is unknown, so it is safer to exit and be restarted. */
function crashWith(logger: Logger): (error: unknown) => never {
  return (error) => {
    logger.fatal({ stack: error instanceof Error ? error.stack : String(error) }, 'service_crashed');
    process.exit(1);
  };
}
