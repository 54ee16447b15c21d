import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { assertObjectKey, isObjectKey } from './object-store';

/**
 * Links that grant read access to one object until, and not at, a moment. On a file system the gateway serves them. In
 * S3 they point to S3 itself, so that downloads do not pass through our processes.
 */
export abstract class DownloadLinks {
  /**
   * @throws ObjectStoreUnavailable if there is no credential to sign with, for example while a role's token cannot be
   * renewed. The same times give the same link, while the key or the credentials are the same.
   */
  abstract signLink(key: string, expiresAt: Date, now?: Date): Promise<string>;
}

export interface UrlSigning {
  /** Scheme and host under which clients reach the gateway, without `/v1`. */
  publicUrl: string;
  /** The key gives read access to every object. */
  signingKey: string;
  /** A second key, whose links are accepted while keys are rotated. It signs nothing; empty for none. */
  acceptedKey?: string;
}

const FILES_PATH = '/files/';
const UNIX_SECONDS = /^\d{1,12}$/;

/** Signs and verifies links that grant read access to one object until a moment, as S3 would. */
export class UrlSigner extends DownloadLinks {
  private readonly filesUrl: string;
  private readonly signingKey: KeyObject;
  private readonly acceptedKeys: readonly KeyObject[];

  constructor({ publicUrl, signingKey, acceptedKey = '' }: UrlSigning) {
    super();
    this.filesUrl = `${publicUrl.replace(/\/+$/, '')}${FILES_PATH}`;
    this.signingKey = createSecretKey(signingKey, 'utf8');
    this.acceptedKeys = acceptedKey === '' ? [] : [createSecretKey(acceptedKey, 'utf8')];
  }

  override signLink(key: string, expiresAt: Date): Promise<string> {
    return Promise.resolve(this.sign(key, expiresAt));
  }

  sign(key: string, expiresAt: Date): string {
    assertObjectKey(key);
    // Rounded down: a link must not outlive the given expiry, even by a part of a second.
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    return `${this.filesUrl}${key}?expires=${expires}&signature=${signatureOf(this.signingKey, key, expires)}`;
  }

  /** Takes the path as the client sent it, not percent-decoded: a signed key needs no escapes. */
  verify(path: string, query: Readonly<Record<string, unknown>>, now: Date): { key: string } | 'expired' | 'invalid' {
    const key = path.startsWith(FILES_PATH) ? path.slice(FILES_PATH.length) : '';
    const { expires, signature } = query;
    if (!isObjectKey(key) || typeof expires !== 'string' || typeof signature !== 'string') return 'invalid';
    if (!UNIX_SECONDS.test(expires) || !this.isSigned(signature, key, expires)) return 'invalid';
    return now.getTime() < Number(expires) * 1000 ? { key } : 'expired';
  }

  private isSigned(signature: string, key: string, expires: string): boolean {
    const keys = [this.signingKey, ...this.acceptedKeys];
    return keys.some((signingKey) => isSame(signature, signatureOf(signingKey, key, expires)));
  }
}

function signatureOf(signingKey: KeyObject, key: string, expires: string): string {
  return createHmac('sha256', signingKey).update(`${expires}\n${key}`).digest('base64url');
}

/** Compares in constant time, so that a signature cannot be guessed byte by byte. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
