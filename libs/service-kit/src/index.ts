export { ConfigError, loadConfig } from './config/load-config';
export { DatabaseServiceConfig, ServiceConfig } from './config/service.config';
export { Setting, settingsOf } from './config/setting.decorator';
export { HealthServer } from './health/health.server';
export { Readiness } from './health/readiness';
export { type Logger, NestLogger, createLogger } from './logging/logger';
export { InjectLogger, LOGGER } from './logging/logger.token';
export { runService } from './run-service';
export { type PreparedService, type ServiceDefinition, prepareService, stopOnSignals } from './service';
