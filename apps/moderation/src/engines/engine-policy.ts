import { versionOf } from '../judging/version-of';
import type { ContentKind, Thresholds } from './thresholds';

/** The parts of an external engine's judgement that are known and configured here. */
export interface EnginePolicy {
  /** The name of the engine in decisions and logs. */
  id: string;
  /** The name of the model. */
  model: string;
  judges: readonly ContentKind[];
  thresholds: Thresholds;
}

/** The version string that a decision stores for an engine. */
export function versionOfEngine({ model, thresholds }: EnginePolicy): string {
  return `${model} ${versionOf(thresholds)}`;
}

/** The model in the version string of a decision. */
export function modelOfVersion(version: string): string {
  return version.slice(0, Math.max(version.lastIndexOf(' '), 0));
}
