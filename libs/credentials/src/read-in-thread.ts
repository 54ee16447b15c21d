import type { WasmReader } from '@contentauth/c2pa-wasm';
import { type C2pa, settingsWith } from './c2pa-module';
import { CREDENTIAL_BOUNDS } from './credential';
import { type ManifestStore, countManifests, isValid, serialNumberOf, thumbnailsOf } from './manifest-store';
import type { OwnSigners } from './certificate-chain';
import type { ReadCall, ReadResult } from './thread-messages';

/** @throws Error for a manifest that the library cannot read, or that is larger than the bounds */
export async function readInThread(c2pa: C2pa, call: ReadCall): Promise<ReadResult> {
  const { own, anchorsPem } = call;
  const read = await readWith(c2pa, call, anchorsPem);
  if (!read || !isValid(read.store)) return read && { ...read, signer: { trusted: false, ours: false } };
  const trusted = anchorsPem !== '' && isTrusted(read.store);
  const ours = isOfOurs(read.store, own) && isTrusted((await readWith(c2pa, call, own.anchorsPem))?.store);
  return { ...read, signer: { trusted, ours } };
}

interface Read {
  store: ManifestStore;
  thumbnails: Uint8Array[];
}

async function readWith(c2pa: C2pa, { file, mediaType }: ReadCall, anchorsPem: string): Promise<Read | null> {
  const reader = await openReader(c2pa, file, mediaType, settingsWith(anchorsPem));
  if (!reader) return null;
  try {
    const store = JSON.parse(reader.json()) as ManifestStore;
    if (countManifests(store) > CREDENTIAL_BOUNDS.manifests) throw new Error('The file has too many manifests.');
    return { store, thumbnails: readThumbnails(reader, store) };
  } finally {
    reader.free();
  }
}

async function openReader(c2pa: C2pa, file: Uint8Array, type: string, settings: string): Promise<WasmReader | null> {
  try {
    return await c2pa.WasmReader.fromBytes(type, file, settings);
  } catch (error) {
    if (String(error).includes('JumbfNotFound')) return null;
    throw error;
  }
}

function readThumbnails(reader: WasmReader, store: ManifestStore): Uint8Array[] {
  const found = thumbnailsOf(store);
  if (found.length > CREDENTIAL_BOUNDS.thumbnails) throw new Error('The manifests have too many images.');
  return found.map(({ identifier }) => reader.resourceToBytes(identifier));
}

/** An authority gives a number once, so number and authority together are one certificate. */
function isOfOurs(store: ManifestStore, own: OwnSigners): boolean {
  return own.anchorsPem !== '' && own.serialNumbers.includes(serialNumberOf(store) ?? '');
}

function isTrusted(store: ManifestStore | undefined): boolean {
  return store?.validation_state === 'Trusted';
}
