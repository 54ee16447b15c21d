import path from 'node:path';

/**
 * How Node runs a service, in a cluster as here: deploy/docker/Dockerfile says the same, and why.
 * @param programs The folder of the built programs.
 */
export function nodeArguments(programs: string): string[] {
  return ['--require', path.join(programs, 'libs/service-kit/src/before-program.js')];
}

export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
