import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type LocalAuthority, makeLocalAuthority } from '@kinora/credentials/without-nest';
import { fileVariable } from '@kinora/service-kit/without-nest';
import type { DataFolder } from './data-folder';
import { PrivateJsonFile } from './private-json-file';

const CERTIFICATE = 'KINORA_C2PA_CERTIFICATE';
/** The doctor warns from then on. */
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/** Whether the operator signs outputs with a certificate of his own. */
export function hasOwnCertificate(env: NodeJS.ProcessEnv): boolean {
  return [CERTIFICATE, fileVariable(CERTIFICATE)].some((name) => (env[name] ?? '') !== '');
}

/** A root and a certificate of this data folder. Verifiers show them as untrusted, unless they are given the root. */
export async function ensureLocalAuthority(folder: DataFolder, now: Date): Promise<LocalAuthority> {
  const file = new PrivateJsonFile<LocalAuthority>(folder.contentCredentials);
  const stored = await file.read();
  if (stored && Date.parse(new X509Certificate(stored.certificatePem).validTo) - now.getTime() > RENEW_BEFORE_MS)
    return stored;
  const authority = makeLocalAuthority('Kinora on one machine', now);
  await file.write(authority);
  await writeFile(folder.contentCredentialsRoot, authority.rootPem);
  return authority;
}
