/** The limit of the official clients of hosted backends for images in a request, although the backends advise less. */
export const MAX_HOSTED_IMAGE_BYTES = 10_000_000;

const PNG = Buffer.from('89504e47', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** Images of tasks are PNG, JPEG or WebP, each encoded by Kinora. */
export function toImageDataUrl(bytes: Buffer): string {
  return `data:${mimeOf(bytes)};base64,${bytes.toString('base64')}`;
}

function mimeOf(bytes: Buffer): string {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  return 'image/webp';
}
