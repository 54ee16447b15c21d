import { buildEngines } from './build-engines';
import type { Engines } from '../judging/engine';

/** What an installation has whose operator has added nothing. */
export function builtInEngines(): Promise<Engines> {
  return buildEngines({ configDir: '', environment: {}, profile: 'local' });
}
