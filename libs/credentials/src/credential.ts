/** What a file says about its origin, and how far that can be believed. Texts are those of the signer. */
export interface Credential {
  /** Whether the signature is right and the file is the one that was signed; an unknown signer is no fault. */
  valid: boolean;
  /** Whether the signer's certificate leads to one of the given anchors. */
  trusted: boolean;
  /** Whether one of the given certificates of our own has signed the file. Never true for a file that is not valid. */
  ours: boolean;
  signer: string | null;
  /** By the time stamp, else by the manifest's own word. */
  createdAt: Date | null;
  /** The model that the manifest names as the software of an action. */
  model: string | null;
  digitalSourceType: string | null;
  ingredients: CredentialIngredient[];
  /** The images in the manifests of the file and of its ingredients. The gate has not judged them. */
  thumbnails: Buffer[];
}

export interface CredentialIngredient {
  title: string | null;
  /** Null for an ingredient without a manifest of its own. */
  valid: boolean | null;
  signer: string | null;
  digitalSourceType: string | null;
}

export type CredentialProblemReason = 'too_large' | 'unreadable' | 'too_slow';

/** A file contains a manifest that is not read. */
export class CredentialProblem extends Error {
  override readonly name = 'CredentialProblem';

  constructor(
    readonly reason: CredentialProblemReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The formats in which a manifest is read and written. */
export const CREDENTIAL_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'] as const;

export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

export function isCredentialType(mediaType: string): mediaType is CredentialType {
  return (CREDENTIAL_TYPES as readonly string[]).includes(mediaType);
}

/** What a file may cost before it is refused. Cameras and editors write less than one MiB. */
export const CREDENTIAL_BOUNDS = {
  manifestBytes: 4 * 1024 * 1024,
  manifests: 64,
  thumbnails: 32,
  readMs: 5_000,
  /** Of the library's own memory. The largest video is read piece by piece. */
  memoryBytes: 384 * 1024 * 1024,
} as const;
