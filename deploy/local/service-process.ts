import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { type DataFolder, logFile } from './data-folder';
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
  programs: string;
  folder: DataFolder;
  env: NodeJS.ProcessEnv;
  inspectPort?: number | undefined;
}

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

/** Not `fetch`: its implementation takes longer to load than all probes of a start together. */
export async function httpGet(url: string, withinMs: number): Promise<{ isOk: boolean; body: string }> {
  const request = get(url, { agent: false, signal: AbortSignal.timeout(withinMs) });
  // Also after its response, the end of the time is an error of the request; the body's is the one that counts.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { isOk: response.statusCode === 200, body: await text(response) };
}
