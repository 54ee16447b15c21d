import path from 'node:path';

/**
 * Node's flags for a service. deploy/docker/Dockerfile has the same ones, and explains them.
 * @param programs The folder of the built programs.
 */
export function nodeArguments(programs: string): string[] {
  return ['--require', path.join(programs, 'libs/service-kit/src/before-program.js')];
}

export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
