import { versionOf } from '../judging/version-of';
import type { ContentKind, Thresholds } from './thresholds';

/** By what an engine elsewhere judges, as far as we know and decide it. */
export interface EnginePolicy {
  /** By which decisions and logs name it. */
  id: string;
  /** Names the model. */
  model: string;
  judges: readonly ContentKind[];
  thresholds: Thresholds;
}

/** What a decision says of an engine. */
export function versionOfEngine({ model, thresholds }: EnginePolicy): string {
  return `${model} ${versionOf(thresholds)}`;
}

/** The model that a decision was made with, of what it says of the engine. */
export function modelOfVersion(version: string): string {
  return version.slice(0, Math.max(version.lastIndexOf(' '), 0));
}
