import { createHmac, randomBytes } from 'node:crypto';
import type { PrivateJsonFile } from './private-json-file';

/** Created once per data folder: signatures and hashes made with them must stay valid at the next start. */
const NAMES = [
  ...(['postgres_password', 'role_password_seed', 'url_signing_key', 'key_pepper'] as const),
  ...(['receipt_key', 'quote_key', 'console_setup_token'] as const),
];
export type Secrets = Record<(typeof NAMES)[number], string>;

/** A secret that a later version adds is created beside the existing ones. */
export async function ensureSecrets(file: PrivateJsonFile<Secrets>): Promise<Secrets> {
  const created = Object.fromEntries(NAMES.map((name) => [name, newSecret()])) as Secrets;
  const secrets = { ...created, ...(await file.read()) };
  await file.write(secrets);
  return secrets;
}

/** A password for each context's database role: a leaked one gives access to one schema only. */
export function rolePassword(secrets: Secrets, context: string): string {
  return createHmac('sha256', secrets.role_password_seed).update(context).digest('hex');
}

/** Hexadecimal, so that it needs no escaping in an address. */
function newSecret(): string {
  return randomBytes(32).toString('hex');
}
