import { setFlagsFromString } from 'node:v8';
import type { DynamicModule, Type } from '@nestjs/common';
import { type NatsConnection, connectNats, withTimeout } from '@kinora/bus';
import { collectDefaultMetrics } from '@kinora/metrics';
import { startTracing } from '@kinora/tracing';
import { ConfigError } from './config/config-error';
import { loadConfig } from './config/load-config';
import type { ServiceConfig } from './config/service.config';
import { armCrashPoints } from './crash-points/crash-point';
import { CrashConfig } from './crash-points/crash.config';
import { KitModule } from './kit.module';
import { type Logger, createLogger } from './logging/logger';

/**
 * How often the event loop is looked at; what the metrics call its lag is never less. At prom-client's own ten milliseconds
 * the look itself would be most of what an idle service does.
 */
const EVENT_LOOP_SAMPLE_MS = 50;

/** How long the end of a service waits for the collector of traces. */
const STOP_TRACING_TIMEOUT_MS = 1_500;

export interface ServiceDefinition<Config extends ServiceConfig> {
  /** The context's name, which is also its queue group on the bus. */
  name: string;
  config: new () => Config;
  /** A module whose parts depend on the configuration makes itself by `forConfig`. */
  module: Type | { forConfig: (config: Config) => DynamicModule };
}

/** A service before it serves: configured, logging, connected to the bus. */
export interface PreparedService<Config extends ServiceConfig> {
  config: Config;
  logger: Logger;
  connection: NatsConnection;
  /** The service's module with all that the kit gives: config, logger, bus, readiness and probes. */
  rootModule: DynamicModule;
  /** Hands over the last spans, and waits for no collector for long. */
  stopTracing: () => Promise<void>;
}

/** Reads the configuration and connects. A bad setting ends the process with one line that names it. */
export async function prepareService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
): Promise<PreparedService<Config>> {
  const config = loadConfigOrExit(definition.config);
  optimizeEarly();
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
  const connection = await connectNats({ url: config.natsUrl, name: definition.name, logger });
  // The client gives up for good where its credentials are refused; a service that hears nothing must not look alive.
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

/** A setting or an operator's file that cannot be used ends the process with the one line that names it. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** After an error that nobody foresaw the process's state is unknown; a fresh one is safer than this one. */
function crashWith(logger: Logger): (error: unknown) => never {
  return (error) => {
    logger.fatal({ stack: error instanceof Error ? error.stack : String(error) }, 'service_crashed');
    process.exit(1);
  };
}

/**
 * V8 translates a function into good code when it has run some thousand times, and looks at what it is called with only after
 * the first few. A request of ours passes so many functions that the first ten thousand of a new process, as after every roll-out,
 * would cost about half as much again. To be called when a program has loaded its modules: what has run until then was run
 * once, and need not be watched.
 */
function optimizeEarly(): void {
  setFlagsFromString('--interrupt-budget=10000');
  setFlagsFromString('--no-lazy-feedback-allocation');
}
