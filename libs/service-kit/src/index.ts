export { AreHeaders } from './config/are-headers.decorator';
export { ConfigError } from './config/config-error';
export { loadConfig } from './config/load-config';
export { fileVariable, readSecret } from './config/read-secret';
export type { Environment } from './config/expand-environment';
export type { FieldPath, FieldProblem } from './config/field-problem';
export { OperatorDocument } from './config/operator-document';
export { type OperatorFile, readOperatorFile } from './config/operator-file';
export { crashPoint } from './crash-points/crash-point';
export { CRASH_POINTS, type CrashPoint } from './crash-points/crash-points';
export { DatabaseServiceConfig, ServiceConfig } from './config/service.config';
export { Setting, SettingGroup, settingsOf } from './config/setting.decorator';
export { HealthServer } from './health/health.server';
export { Readiness } from './health/readiness';
export { KitModule } from './kit.module';
export { type Logger, NestLogger, createLogger } from './logging/logger';
export { InjectLogger, LOGGER } from './logging/logger.token';
export { runService } from './run-service';
export { WorkLoop } from './work-loop';
export {
  type PreparedService,
  type ServiceDefinition,
  exitOnConfigError,
  prepareService,
  stopOnSignals,
} from './service';
