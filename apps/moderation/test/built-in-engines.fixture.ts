import { buildEngines } from '../src/gate/build-engines';
import type { Engines } from '../src/judging/engine';

/** The engines of an installation without engines of the operator. */
export function builtInEngines(): Promise<Engines> {
  return buildEngines({ configDir: '', environment: {}, profile: 'local' });
}
