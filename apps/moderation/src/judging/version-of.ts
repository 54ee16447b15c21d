import { sha256Of } from './sha256';

/** Long enough that no two versions of a policy that anyone has written share it, short enough to be read out. */
const VERSION_CHARS = 12;

/** Names the contents of what an engine judges by: equal contents, equal version. */
export function versionOf(contents: unknown): string {
  return sha256Of(JSON.stringify(contents)).slice(0, VERSION_CHARS);
}
