import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { BillingConfig } from '../billing.config';
import type { EmailTexts } from './email-content';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts under a key from the pepper, which is not in the database: a stolen table holds no link that signs in. */
export function sealTexts({ keyPepper }: Pick<BillingConfig, 'keyPepper'>, emailId: string, texts: EmailTexts): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(keyPepper), iv).setAAD(Buffer.from(emailId));
  return Buffer.concat([iv, cipher.update(JSON.stringify(texts), 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Null for texts that were sealed under a pepper of which this process knows nothing. */
export function openTexts(
  { peppers }: Pick<BillingConfig, 'peppers'>,
  emailId: string,
  sealed: Buffer,
): EmailTexts | null {
  for (const pepper of peppers) {
    const decipher = createDecipheriv(CIPHER, keyOf(pepper), sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(emailId)).setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const plain = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(plain.toString('utf8')) as EmailTexts;
    } catch {
      // The other pepper may open it.
    }
  }
  return null;
}

function keyOf(pepper: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'kinora e-mail', 32));
}
