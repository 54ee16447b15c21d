import type { OwnSigners } from './certificate-chain';
import type { CredentialType } from './credential';
import type { KnownSigner, ManifestStore } from './manifest-store';

export interface ReadCall {
  call: 'read';
  id: number;
  file: Uint8Array;
  mediaType: CredentialType;
  own: OwnSigners;
  anchorsPem: string;
}

/** A file that went into an output. */
export interface SignedIngredient {
  /** Of the library, in JSON. */
  definition: string;
  /** Null if only its definition goes into the manifest. */
  file: Uint8Array | null;
  mediaType: CredentialType;
}

export interface SignCall {
  call: 'sign';
  id: number;
  file: Uint8Array;
  mediaType: CredentialType;
  /** Of the manifest, in JSON. */
  definition: string;
  ingredients: SignedIngredient[];
  algorithm: string;
  signatureBytes: number;
}

export type ThreadCall =
  | ReadCall
  | SignCall
  | { call: 'signature'; id: number; reply: { signature: Uint8Array<ArrayBuffer> } | { error: string } };

/** Null for a file without a manifest. */
export type ReadResult = { store: ManifestStore; signer: KnownSigner; thumbnails: Uint8Array[] } | null;

export type ThreadMessage =
  | { kind: 'done'; id: number; result: ReadResult | Uint8Array }
  | { kind: 'sign'; id: number; claim: Uint8Array }
  | { kind: 'failed'; id: number; error: string; isFatal: boolean };
