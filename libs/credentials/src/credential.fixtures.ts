import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { localKey } from './claim-key';
import { bytesToSign, coseSign1, protectedHeader } from './cose-signature';
import type { CredentialType } from './credential';
import { CREDENTIAL_PROGRAM, type CredentialProgram, CredentialThread } from './credential-thread';
import { makeLocalAuthority } from './local-authority';

/** `test/typescript.cjs` compiles TypeScript in the worker thread; jest compiles only the modules that it loads itself. */
export const PROGRAM: CredentialProgram = {
  ...CREDENTIAL_PROGRAM,
  execArgv: ['--require', path.join(__dirname, '../../../test/typescript.cjs')],
};

export const AUTHORITY = makeLocalAuthority('Ours', new Date());
export const STRANGER = makeLocalAuthority('Stranger', new Date());

const SIGNATURE_BYTES = 2_048;

/** A picture with enough detail that a change of one byte changes a pixel. */
export function drawImage(format: 'png' | 'jpeg' | 'webp', colour = 'red', side = 128): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: colour, noise } })
    .toFormat(format)
    .toBuffer();
}

/** Any manifest that the library can write, signed as by another service. */
export async function signAs(
  authority: typeof AUTHORITY,
  file: Buffer,
  mediaType: CredentialType,
  { definition = {}, ingredients = [] as { title: string; file: Buffer; mediaType: CredentialType }[] } = {},
): Promise<Buffer> {
  const thread = new CredentialThread(PROGRAM, 60_000);
  const key = localKey(authority.certificatePem, authority.keyPem);
  const created = { action: 'c2pa.created', digitalSourceType: SOURCE_TYPE, softwareAgent: { name: 'a-model' } };
  const call = {
    file,
    mediaType,
    definition: JSON.stringify({
      claim_generator_info: [{ name: 'Another service', version: '1' }],
      assertions: [{ label: 'c2pa.actions.v2', data: { actions: [created] } }],
      ...definition,
    }),
    ingredients: ingredients.map(({ title, ...one }) => ({
      ...one,
      definition: JSON.stringify({ title, relationship: 'componentOf' }),
    })),
    algorithm: 'es256',
    signatureBytes: SIGNATURE_BYTES,
  };
  try {
    const header = protectedHeader('es256', key.chain.certificates);
    const signed = await thread.sign(call, async (claim) =>
      coseSign1({ header, signature: await key.sign(bytesToSign(header, claim)), timeStamp: null }, SIGNATURE_BYTES),
    );
    return Buffer.from(signed);
  } finally {
    await thread.close();
  }
}

/** A file as by a service that shows a preview in its credentials, which need not be of the file. */
export async function signWithThumbnail(file: Buffer, mediaType: CredentialType, thumbnail: Buffer): Promise<Buffer> {
  const worker = new Worker(path.join(__dirname, 'thumbnail-signer.fixtures.ts'), {
    ...(PROGRAM.execArgv && { execArgv: PROGRAM.execArgv }),
    workerData: { file, mediaType, thumbnail, ...STRANGER },
  });
  const [signed] = (await once(worker, 'message')) as [Uint8Array];
  await worker.terminate();
  return Buffer.from(signed);
}

const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
