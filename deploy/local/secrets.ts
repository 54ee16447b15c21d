import { createHmac, randomBytes } from 'node:crypto';
import type { PrivateJsonFile } from './private-json-file';

/** Made once for a data folder: what they signed and hashed must stay valid at the next start. */
export interface Secrets {
  postgres_password: string;
  role_password_seed: string;
  url_signing_key: string;
  key_pepper: string;
}

/** A secret that a later version adds joins those that are there. */
export async function ensureSecrets(file: PrivateJsonFile<Secrets>): Promise<Secrets> {
  const secrets: Secrets = {
    postgres_password: newSecret(),
    role_password_seed: newSecret(),
    url_signing_key: newSecret(),
    key_pepper: newSecret(),
    ...(await file.read()),
  };
  await file.write(secrets);
  return secrets;
}

/** A password for each context's database role: one that leaks opens one schema. */
export function rolePassword(secrets: Secrets, context: string): string {
  return createHmac('sha256', secrets.role_password_seed).update(context).digest('hex');
}

/** Hexadecimal, so that it can stand in an address as it is. */
function newSecret(): string {
  return randomBytes(32).toString('hex');
}
