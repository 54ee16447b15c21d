import { createHmac, randomBytes } from 'node:crypto';
import type { PrivateJsonFile } from './private-json-file';

/** Created once per data folder: signatures and hashes made with them must stay valid at the next start. */
export interface Secrets {
  postgres_password: string;
  role_password_seed: string;
  url_signing_key: string;
  key_pepper: string;
  receipt_key: string;
  quote_key: string;
  console_setup_token: string;
}

/** A secret that a later version adds is created beside the existing ones. */
export async function ensureSecrets(file: PrivateJsonFile<Secrets>): Promise<Secrets> {
  const secrets: Secrets = {
    postgres_password: newSecret(),
    role_password_seed: newSecret(),
    url_signing_key: newSecret(),
    key_pepper: newSecret(),
    receipt_key: newSecret(),
    quote_key: newSecret(),
    console_setup_token: newSecret(),
    ...(await file.read()),
  };
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
