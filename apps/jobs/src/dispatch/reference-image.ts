import { sanitizeImage } from '@kinora/images';

/** No output of the built-in models is larger, so more detail would only increase the size of the submission. */
const MAX_REFERENCE_SIDE_PX = 2_048;

/** An input as providers get it. @throws ImageProblem */
export async function toReference(bytes: Buffer): Promise<Buffer> {
  return (await sanitizeImage(bytes, { maxSidePx: MAX_REFERENCE_SIDE_PX })).bytes;
}
