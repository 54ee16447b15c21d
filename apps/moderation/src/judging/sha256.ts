import { createHash } from 'node:crypto';

/** How content is named where the content itself must not stand. In hexadecimal. */
export function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
