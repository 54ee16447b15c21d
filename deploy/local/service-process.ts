import path from 'node:path';
import { type DataFolder, logFile } from './data-folder';
import { httpGet } from './http-get';
import type { ProcessSpec } from './processes/process-spec';
import { serviceEnvironment, type StackSettings } from './service-environment';
import { healthUrl, type ServiceInstance } from './service-instance';

/**
 * Node's flags for a service. deploy/docker/Dockerfile has the same ones, and explains them.
 * @param programs The folder of the built programs.
 */
export function nodeArguments(programs: string): string[] {
  return ['--require', path.join(programs, 'libs/service-kit/src/before-program.js')];
}

export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

const HEALTH_WITHIN_MS = 2_000;

export interface ServiceProcessOptions {
  instance: ServiceInstance;
  stack: StackSettings;
  /** The folder of the built programs. */
  programs: string;
  folder: DataFolder;
  env: NodeJS.ProcessEnv;
  inspectPort?: number | undefined;
}

/** The process specification of a service. */
export function serviceProcess(options: ServiceProcessOptions): ProcessSpec {
  const { instance, stack, programs, folder, env, inspectPort } = options;
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  return {
    name: instance.name,
    command: process.execPath,
    args: [...inspect, ...nodeArguments(programs), path.join(programs, 'apps', instance.service, 'src/main.js')],
    env: { ...NODE_ENVIRONMENT, ...serviceEnvironment(instance, stack, env) },
    logFile: logFile(folder, instance.name),
    stopSignal: 'SIGTERM',
    isReady: () => answersOk(healthUrl(instance)),
  };
}

export async function answersOk(url: string): Promise<boolean> {
  return await httpGet(url, HEALTH_WITHIN_MS).then(
    ({ isOk }) => isOk,
    () => false,
  );
}
