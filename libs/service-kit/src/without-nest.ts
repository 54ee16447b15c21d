// Entry point for programs without Nest, because loading Nest would take most of their memory and start-up time.
export { Clock, SYSTEM_CLOCK } from './clock';
export { ConfigError } from './config/config-problem';
export { loadConfig } from './config/load-config';
export { OperatorDocument } from './config/operator-document';
export { fileVariable } from './config/read-secret';
export { Setting } from './config/setting.decorator';
export { createLogger } from './logging/logger';
export { keepCompiledCode, markStarted } from './started';
export { Semaphore } from './semaphore';
