import { readFileSync } from 'node:fs';
import { CREDENTIAL_BOUNDS } from './credential';
import { withMemoryBound } from './bounded-module';

export type C2pa = typeof import('@contentauth/c2pa-wasm');

/** A file as the library reads it, piece by piece; its types ask for a browser's Blob. */
export class BytesAsBlob {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  slice(from: number, to: number): BytesAsBlob {
    return new BytesAsBlob(this.bytes.subarray(from, to));
  }

  /** A copy, which the library may keep. */
  toArrayBuffer(): ArrayBuffer {
    return new Uint8Array(this.bytes).buffer;
  }
}

/** The part of a browser that the library needs, and Node does not have. */
class SynchronousReader {
  readAsArrayBuffer(blob: BytesAsBlob): ArrayBuffer {
    return blob.toArrayBuffer();
  }
}

/** A manifest can name addresses. The library is told to fetch none; without a network it cannot. */
function refuseNetwork(): never {
  throw new Error('Credentials are read without a network.');
}

/** For a thread of its own: the library is loaded once in it, and finds a browser's names in its globals. */
export async function loadC2pa(): Promise<C2pa> {
  Object.assign(globalThis, { FileReaderSync: SynchronousReader, fetch: refuseNetwork });
  const c2pa: C2pa = await import('@contentauth/c2pa-wasm');
  const wasm = readFileSync(require.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
  c2pa.initSync({ module: new Uint8Array(withMemoryBound(wasm, CREDENTIAL_BOUNDS.memoryBytes)) });
  return c2pa;
}

/** Purposes of certificates that may sign claims: claim signing, documents, e-mail (the C2PA specification's own list). */
const PURPOSES = ['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'];

/** The library's settings: no network, no thumbnails of ours, no second verification of what it has just signed. */
export function settingsWith(anchorsPem: string): string {
  return JSON.stringify({
    trust: { trust_config: PURPOSES.join('\n'), ...(anchorsPem === '' ? {} : { trust_anchors: anchorsPem }) },
    verify: {
      verify_after_sign: false,
      verify_trust: true,
      remote_manifest_fetch: false,
      ocsp_fetch: false,
    },
    builder: { thumbnail: { enabled: false } },
  });
}
