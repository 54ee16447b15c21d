import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ProvenanceCredential } from '@kinora/contracts/moderation/provenance.rpc';
import { CredentialProblem, CredentialReader } from '@kinora/credentials';
import { ModerationConfig } from '../moderation.config';
import { toShownCredential, UNREADABLE_CREDENTIAL } from './shown-credential';

/** Reads the content credentials of files that strangers send. */
@Injectable()
export class Credentials implements OnApplicationShutdown {
  private readonly reader: CredentialReader;

  constructor({ ownCertificates, trustedRoots, credentialProgram }: ModerationConfig) {
    this.reader = new CredentialReader({ ownPem: ownCertificates, anchorsPem: trustedRoots }, credentialProgram);
  }

  /** Null for a file without one. */
  async read(bytes: Buffer, mediaType: string): Promise<ProvenanceCredential | null> {
    try {
      const credential = await this.reader.readCredential(bytes, mediaType);
      return credential && toShownCredential(credential);
    } catch (error) {
      if (error instanceof CredentialProblem) return UNREADABLE_CREDENTIAL;
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.reader.close();
  }
}
