import type { IncomingMessage } from 'node:http';
import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';

/** The key of an Authorization header, if there is exactly one and it can have been issued; null otherwise. */
export function bearerKey(request: IncomingMessage): string | null {
  // `headers` keeps the first of several and hides the rest.
  const values = request.headersDistinct.authorization;
  if (values?.length !== 1) return null;
  const [, key] = /^bearer +(\S+)$/i.exec(values[0] ?? '') ?? [];
  return key !== undefined && isWellFormedApiKey(key) ? key : null;
}
