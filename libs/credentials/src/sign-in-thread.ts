import { BytesAsBlob, type C2pa, settingsWith } from './c2pa-module';
import type { SignCall } from './thread-messages';

/** @param askForSignature returns the whole COSE_Sign1 of the claim, of the size that was reserved. */
export async function signInThread(
  c2pa: C2pa,
  { file, mediaType, definition, ingredients, algorithm, signatureBytes }: SignCall,
  askForSignature: (claim: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array> {
  const builder = c2pa.WasmBuilder.fromJson(definition, settingsWith(''));
  try {
    for (const { definition: one, mediaType: type, file: bytes } of ingredients) {
      if (bytes) await builder.addIngredientFromBlob(one, type, blobOf(bytes));
      else builder.addIngredient(one);
    }
    const signer = { alg: algorithm, reserveSize: signatureBytes, sign: askForSignature };
    return await builder.sign(signer, [], mediaType, blobOf(file));
  } finally {
    builder.free();
  }
}

/** The library only slices it, and reads the slices through the reader that its thread provides. */
function blobOf(bytes: Uint8Array): Blob {
  return new BytesAsBlob(bytes) as unknown as Blob;
}
