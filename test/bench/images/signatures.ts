import {
  CredentialsConfig,
  createSigner,
  makeLocalAuthority,
  type CredentialSigner,
} from '../../../libs/credentials/src';
import { Egress, EgressAllowList } from '../../../libs/egress/src';
import { type Cell, textTable } from '../goals';
import type { DrawnImage } from './drawn-images';

const SAMPLES = 10;
const MB = 1_000_000;

/** Signs as a local stack does. */
export function signerOfBench(): CredentialSigner {
  const { certificatePem: certificate, keyPem: key } = makeLocalAuthority('Kinora bench', new Date());
  const egress = new Egress({ allow: EgressAllowList.parse('') });
  const config = Object.assign(new CredentialsConfig(), { certificate, key });
  const signer = createSigner(config, { egress, generator: { name: 'Kinora', version: 'bench' } });
  if (!signer) throw new Error('There is no certificate.');
  return signer;
}

export function sign(signer: CredentialSigner, bytes: Buffer, { format }: DrawnImage): Promise<{ bytes: Buffer }> {
  return signer.sign(bytes, `image/${format}`, {
    jobId: '01890000-0000-7000-8000-000000000000',
    model: 'general-image',
    action: 'created',
    digitalSourceType: 'algorithmicMedia',
    madeAt: new Date(),
    ingredients: [],
    droppedCredentials: [],
  });
}

/** The memory of a process that signs one small image after the other: it must not grow. */
export async function measureManySignatures(images: readonly DrawnImage[], count: number): Promise<void> {
  const signer = signerOfBench();
  const rows: Cell[][] = [];
  for (let done = 0; done < count; done++) {
    const image = images[done % images.length];
    if (image) await sign(signer, image.file, image);
    if ((done + 1) % Math.ceil(count / SAMPLES) === 0) rows.push([String(done + 1), process.memoryUsage.rss() / MB]);
  }
  await signer.close();
  console.log(textTable(['signatures', 'resident, MB'], rows));
}
