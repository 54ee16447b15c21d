import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal, which identifies content where the content itself must not be stored. */
export function sha256Of(content: string | Buffer): string {
  return hash('sha256', content);
}

/** Long enough that two versions of a policy do not collide, short enough to be read aloud. */
const VERSION_CHARS = 12;

/** A version derived from the contents: equal contents, equal version. */
export function versionOf(contents: unknown): string {
  return sha256Of(JSON.stringify(contents)).slice(0, VERSION_CHARS);
}
