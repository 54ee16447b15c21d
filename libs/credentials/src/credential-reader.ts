import type { Clock } from '@kinora/service-kit/without-nest';
import { CREDENTIAL_PROGRAM, type CredentialProgram, CredentialThread } from './credential-thread';
import { CREDENTIAL_BOUNDS, type Credential, CredentialProblem, isCredentialType } from './credential';
import { manifestPartsOf } from './manifest-parts';
import { type OwnSigners, ownSignersOf } from './certificate-chain';
import { toCredential } from './manifest-store';

export interface KnownCertificates {
  /** PEM of the chains with which this service signs or has signed, each at least with its issuer. Empty: none. */
  ownPem?: string;
  /** PEM of the roots that the operator trusts, for example the C2PA trust list. Empty: none. */
  anchorsPem?: string;
}

/**
 * Reads the content credentials (C2PA) of files that anybody may have made. A file without a manifest costs a walk over its container;
 * any other is read in a thread with bounds of time and memory, one file at a time.
 */
export class CredentialReader {
  private readonly thread: CredentialThread;
  private last: Promise<unknown> = Promise.resolve();
  private readonly own: OwnSigners;
  private readonly anchorsPem: string;

  constructor(
    { ownPem = '', anchorsPem = '' }: KnownCertificates = {},
    program: CredentialProgram = CREDENTIAL_PROGRAM,
    clock?: Clock,
  ) {
    this.own = ownSignersOf(ownPem);
    this.anchorsPem = anchorsPem;
    this.thread = new CredentialThread(program, CREDENTIAL_BOUNDS.readMs, clock);
  }

  /**
   * @returns null for a file without a manifest, or of a type that has none
   * @throws CredentialProblem for a manifest that is too large, cannot be read, or takes too long
   */
  async readCredential(file: Buffer, mediaType: string): Promise<Credential | null> {
    if (!isCredentialType(mediaType)) return null;
    const bytes = manifestPartsOf(file, mediaType).reduce((sum, part) => sum + part.length, 0);
    if (bytes === 0) return null;
    if (bytes > CREDENTIAL_BOUNDS.manifestBytes)
      throw new CredentialProblem('too_large', `The manifest of the file has ${bytes} bytes.`);
    const { own, anchorsPem } = this;
    const read = await this.inTurn(() => this.thread.read({ file, mediaType, own, anchorsPem }));
    return (
      read &&
      toCredential(
        read.store,
        read.signer,
        read.thumbnails.map((image) => Buffer.from(image)),
      )
    );
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  /** One after another: a file that ends the thread fails alone. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
