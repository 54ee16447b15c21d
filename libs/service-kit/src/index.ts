export { AreHeaders } from './config/are-headers.decorator';
export { BackgroundProcess, type BackgroundProgram } from './background-process/background-process';
export { CircuitBreaker } from './circuit-breaker';
export { Clock, SYSTEM_CLOCK } from './clock';
export { ConfigError, type Environment, type ConfigProblem, type FieldPath } from './config/config-problem';
export { loadConfig } from './config/load-config';
export { fileVariable, readSecret } from './config/read-secret';
export { OperatorDocument, type OperatorFile, readOperatorFile } from './config/operator-document';
export { crashPoint } from './crash-points/crash-point';
export { CRASH_POINTS, type CrashPoint } from './crash-points/crash-points';
export { DatabaseServiceConfig, ServiceConfig } from './config/service.config';
export { Setting, SettingGroup, settingsOf } from './config/setting.decorator';
export { FairSemaphore } from './fair-semaphore';
export { HealthServer } from './health/health.server';
export { Readiness } from './health/readiness';
export {
  isDecodable,
  MAX_HEAD_BYTES,
  handleEveryRequest,
  malformedRequestHandler,
  assertOneHost,
} from './http/malformed-request';
export { KitModule } from './kit.module';
export { type Logger, NestLogger, createLogger } from './logging/logger';
export { InjectLogger, LOGGER } from './logging/logger.token';
export { Pruner } from './pruner';
export { runService, stopOnSignals } from './run-service';
export { Semaphore, SemaphoreTimeout } from './semaphore';
export { WakeUp, WorkLoop } from './work-loop';
export { markStarted } from './started';
export { type PreparedService, type ServiceDefinition, exitOnConfigError, prepareService } from './service';
export { RELEASE } from './release';
