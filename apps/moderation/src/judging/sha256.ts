import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal, which identifies content where the content itself must not be stored. */
export function sha256Of(content: string | Buffer): string {
  return hash('sha256', content);
}
