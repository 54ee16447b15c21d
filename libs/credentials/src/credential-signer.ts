import type { ClaimKey } from './claim-key';
import { ALGORITHMS, bytesToSign, bytesToTimeStamp, coseSign1, protectedHeader } from './cose-signature';
import type { CredentialType } from './credential';
import { CREDENTIAL_PROGRAM, type CredentialProgram, CredentialThread } from './credential-thread';
import { type Generator, type OutputFacts, ingredientDefinition, toManifest } from './output-manifest';
import type { TimeStamper } from './time-stamp';

export interface SignerOptions {
  key: ClaimKey;
  generator: Generator;
  /** Null: the signatures have no certified time. */
  timeStamper: TimeStamper | null;
  /** Without a certified time nothing is signed. */
  needsTimeStamp: boolean;
}

export interface SignedFile {
  bytes: Buffer;
  /** Whether the authority did not give the time stamp that it was asked for. */
  isStampMissing: boolean;
}

/** A signature fails for want of a time stamp that the operator requires. */
export class TimeStampMissing extends Error {
  override readonly name = 'TimeStampMissing';
}

/** Heads of CBOR, padding, and the names of the headers. */
const COSE_BYTES = 400;
/** Tokens of public authorities have 3 to 7 KB: they contain the certificates of the authority. */
const TIME_STAMP_BYTES = 8 * 1024;
/** For a signature of the largest video, with a signer and a time stamp authority that take all of their time. */
const SIGN_MS = 30_000;

/**
 * Writes content credentials into outputs. Nothing else in the file changes, least of all a pixel. A signature is not deterministic, so the
 * signed file is the one to store and to hash.
 */
export class CredentialSigner {
  private readonly plain: CredentialThread;
  /** Manifests of others are read here only, so that none of them can end the thread that signs all other outputs. */
  private readonly withForeign: CredentialThread;
  private readonly header: Buffer;
  private readonly signatureBytes: number;

  constructor(
    private readonly options: SignerOptions,
    program: CredentialProgram = CREDENTIAL_PROGRAM,
  ) {
    const { algorithm, certificates } = options.key.chain;
    this.header = protectedHeader(algorithm, certificates);
    const stampBytes = options.timeStamper ? TIME_STAMP_BYTES : 0;
    this.signatureBytes = this.header.length + ALGORITHMS[algorithm].bytes + COSE_BYTES + stampBytes;
    this.plain = new CredentialThread(program, SIGN_MS);
    this.withForeign = new CredentialThread(program, SIGN_MS);
  }

  get validUntil(): Date {
    return this.options.key.chain.validUntil;
  }

  /** @throws TimeStampMissing; CredentialProblem where the library or the key fails */
  async sign(file: Buffer, mediaType: CredentialType, facts: OutputFacts): Promise<SignedFile> {
    const thread = facts.ingredients.every(({ file: one }) => one === null) ? this.plain : this.withForeign;
    let isStampMissing = false;
    let problem: unknown;
    const call = {
      file,
      mediaType,
      definition: toManifest(facts, this.options.generator),
      ingredients: facts.ingredients.map((ingredient, index) => ({
        definition: ingredientDefinition(ingredient, index),
        file: ingredient.file,
        mediaType: ingredient.mediaType,
      })),
      algorithm: this.options.key.chain.algorithm,
      signatureBytes: this.signatureBytes,
    };
    const signed = await thread
      .sign(call, async (claim) => {
        try {
          const made = await this.signClaim(claim);
          isStampMissing = made.timeStamp === null && this.options.timeStamper !== null;
          return coseSign1({ header: this.header, ...made }, this.signatureBytes);
        } catch (error) {
          problem = error;
          throw error;
        }
      })
      .catch((error: unknown) => {
        throw problem ?? error;
      });
    return { bytes: Buffer.from(signed.buffer, signed.byteOffset, signed.byteLength), isStampMissing };
  }

  async close(): Promise<void> {
    await Promise.all([this.plain.close(), this.withForeign.close()]);
  }

  private async signClaim(claim: Uint8Array): Promise<{ signature: Uint8Array; timeStamp: Buffer | null }> {
    const signature = await this.options.key.sign(bytesToSign(this.header, claim));
    return { signature, timeStamp: await this.timeStampOf(signature) };
  }

  private async timeStampOf(signature: Uint8Array): Promise<Buffer | null> {
    const { timeStamper, needsTimeStamp } = this.options;
    if (!timeStamper) return null;
    try {
      const token = await timeStamper(bytesToTimeStamp(this.header, signature));
      if (token.length > TIME_STAMP_BYTES) throw new RangeError(`The time stamp has ${token.length} bytes.`);
      return token;
    } catch (cause) {
      if (needsTimeStamp) throw new TimeStampMissing('A signature has no time stamp, which is required.', { cause });
      return null;
    }
  }
}
