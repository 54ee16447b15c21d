import { sha256Of } from './sha256';

/** Long enough that two versions of a policy do not collide, short enough to be read aloud. */
const VERSION_CHARS = 12;

/** A version derived from the contents: equal contents, equal version. */
export function versionOf(contents: unknown): string {
  return sha256Of(JSON.stringify(contents)).slice(0, VERSION_CHARS);
}
