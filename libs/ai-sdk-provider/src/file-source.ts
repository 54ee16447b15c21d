import type { ImageModelV3File } from '@ai-sdk/provider';

/** The file as the API takes it: an address, or its bytes as a data URI. */
export function toSource(file: ImageModelV3File): string | Uint8Array {
  if (file.type === 'url') return file.url;
  if (typeof file.data !== 'string') return file.data;
  return file.data.startsWith('data:') ? file.data : `data:${file.mediaType};base64,${file.data}`;
}
