const PNG = Buffer.from('89504e47', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** Images of tasks are PNG, JPEG or WebP, each encoded by ourselves. */
export function toImageDataUrl(bytes: Buffer): string {
  return `data:${mimeOf(bytes)};base64,${bytes.toString('base64')}`;
}

function mimeOf(bytes: Buffer): string {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  return 'image/webp';
}

/** What the clients of hosted backends themselves still send within a request. */
const MAX_INLINE_BYTES = 10_000_000;

/** Images go within the request: nothing of a client's is put on a storage that we cannot empty. */
export function findInlineProblem(images: Buffer[]): string | null {
  const bytes = images.reduce((sum, image) => sum + image.length, 0);
  return bytes > MAX_INLINE_BYTES ? `the images have ${bytes} bytes, and ${MAX_INLINE_BYTES} fit into a request` : null;
}
