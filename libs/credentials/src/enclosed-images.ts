import { ImageProblem, inspectImage } from '@kinora/images';
import { manifestPartsOf, mayHoldImages } from './manifest-parts';
import { CredentialProblem, isCredentialType } from './credential';
import type { CredentialReader } from './credential-reader';

/** The credentials of a file, for one who hands the file on: whether it has some, and the images that they bring along. */
export type Enclosure = { state: 'none' | 'unreadable' } | { state: 'readable'; images: Buffer[] };

/** A thumbnail is a preview. */
const BOUNDS = { maxBytes: 2 * 1024 * 1024, minSidePx: 1, maxSidePx: 2_048 };

/**
 * Images inside of credentials are shown by verifiers, so a gate must judge them like the file. Credentials with an image that cannot be
 * decoded are as good as credentials that cannot be read: what the gate cannot judge is not handed on.
 */
export async function readEnclosure(reader: CredentialReader, file: Buffer, mediaType: string): Promise<Enclosure> {
  try {
    const credential = await reader.readCredential(file, mediaType);
    if (!credential) return { state: 'none' };
    for (const image of credential.thumbnails) await inspectImage(image, BOUNDS);
    return { state: 'readable', images: credential.thumbnails };
  } catch (error) {
    if (error instanceof CredentialProblem || error instanceof ImageProblem) return { state: 'unreadable' };
    throw error;
  }
}

/** The images in the credentials of a file; null where they cannot be read. Credentials without images cost a search of their bytes. */
export async function readEnclosedImages(
  reader: CredentialReader,
  file: Buffer,
  mediaType: string,
): Promise<Buffer[] | null> {
  if (!isCredentialType(mediaType) || !mayHoldImages(manifestPartsOf(file, mediaType))) return [];
  const enclosure = await readEnclosure(reader, file, mediaType);
  if (enclosure.state === 'unreadable') return null;
  return enclosure.state === 'readable' ? enclosure.images : [];
}
