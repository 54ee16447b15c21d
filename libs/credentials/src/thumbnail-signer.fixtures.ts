import { parentPort, workerData } from 'node:worker_threads';
import { BytesAsBlob, loadC2pa, settingsWith } from './c2pa-module';
import { localKey } from './claim-key';
import { bytesToSign, coseSign1, protectedHeader } from './cose-signature';

interface Order {
  file: Uint8Array;
  mediaType: string;
  thumbnail: Uint8Array;
  certificatePem: string;
  keyPem: string;
}

const SIGNATURE_BYTES = 2_048;

void run(workerData as Order);

async function run({ file, mediaType, thumbnail, certificatePem, keyPem }: Order): Promise<void> {
  const c2pa = await loadC2pa();
  const key = localKey(certificatePem, keyPem);
  const header = protectedHeader('es256', key.chain.certificates);
  const actions = [{ action: 'c2pa.created' }];
  const definition = JSON.stringify({ assertions: [{ label: 'c2pa.actions.v2', data: { actions } }] });
  const builder = c2pa.WasmBuilder.fromJson(definition, settingsWith(''));
  const blobOf = (bytes: Uint8Array) => new BytesAsBlob(bytes) as unknown as Blob;
  builder.setThumbnailFromBlob('image/png', blobOf(thumbnail));
  const sign = async (claim: Uint8Array) => {
    const signature = await key.sign(bytesToSign(header, claim));
    return new Uint8Array(coseSign1({ header, signature, timeStamp: null }, SIGNATURE_BYTES));
  };
  const signer = { alg: 'es256', reserveSize: SIGNATURE_BYTES, sign };
  parentPort?.postMessage(await builder.sign(signer, [], mediaType, blobOf(file)));
}
