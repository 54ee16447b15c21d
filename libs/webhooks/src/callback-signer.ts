import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '@kinora/contracts/shared/texts';

/** An attempt is identified by its job and its number. */
export interface CallbackTarget {
  jobId: string;
  attemptNumber: number;
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([1-9]\d{0,5})\.([\w-]{43})$/;

/**
 * The addresses at which compute backends report on an attempt. They cannot be guessed, and no table stores them. Each
 * is valid for one attempt at one instance. It begins with the attempt's id, so that a backend's own list can be
 * searched by it.
 */
export class CallbackSigner {
  private readonly acceptedKeys: readonly string[];

  /** The second key is accepted while keys are rotated, and signs nothing; empty for none. */
  constructor(
    private readonly signingKey: string,
    acceptedKey = '',
  ) {
    this.acceptedKeys = [signingKey, acceptedKey].filter((key) => key !== '');
  }

  /** The path below the address of the gateway. */
  pathOf(providerId: string, { jobId, attemptNumber }: CallbackTarget): string {
    const attemptId = `${jobId}-${attemptNumber}`;
    return `/callbacks/${encodeURIComponent(providerId)}/${attemptId}.${signatureOf(this.signingKey, providerId, attemptId)}`;
  }

  /** Null for a token that was not made here, or for another instance. */
  read(providerId: string, token: string): CallbackTarget | null {
    const [, jobId, number, signature] = TOKEN.exec(token) ?? [];
    if (jobId === undefined || number === undefined || signature === undefined) return null;
    const isSigned = this.acceptedKeys.some((key) => {
      const expected = signatureOf(key, providerId, `${jobId}-${number}`);
      return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    });
    return isSigned ? { jobId, attemptNumber: Number(number) } : null;
  }
}

/** The first line separates these signatures from everything else that the key signs. */
function signatureOf(signingKey: string, providerId: string, attemptId: string): string {
  return createHmac('sha256', signingKey).update(`callback\n${providerId}\n${attemptId}`).digest('base64url');
}

/** Whether an address that a backend returned belongs to the attempt. */
export function isCallbackOf(url: string, attemptId: string): boolean {
  return parseUrl(url)?.pathname.split('/').at(-1)?.startsWith(`${attemptId}.`) === true;
}
