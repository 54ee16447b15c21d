import {
  CredentialsConfig,
  createSigner,
  makeLocalAuthority,
  type CredentialSigner,
  type CredentialType,
} from '../../../libs/credentials/src';
import { Egress, EgressAllowList } from '../../../libs/egress/src';
import { takeVideo } from '../../../libs/videos/src';
import { type Cell, textTable } from '../goals';
import { median } from '../load';
import { drawVideo, type DrawnImage } from './drawn-images';

const SAMPLES = 10;
const VIDEO_WARM_UP = 5;
const VIDEO_ROUNDS = 25;
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

export function sign(signer: CredentialSigner, bytes: Buffer, mediaType: CredentialType): Promise<{ bytes: Buffer }> {
  return signer.sign(bytes, mediaType, {
    jobId: '01890000-0000-7000-8000-000000000000',
    model: 'general-image',
    action: 'created',
    digitalSourceType: 'algorithmicMedia',
    isMarked: false,
    madeAt: new Date(),
    ingredients: [],
    droppedCredentials: [],
  });
}

/** Milliseconds of processor time that the signature of a video of five seconds takes. */
export async function measureVideoSignature(): Promise<number> {
  const { bytes: video } = await takeVideo(await drawVideo(), { provenance: 'algorithmicMedia' });
  const signer = signerOfBench();
  const costs: number[] = [];
  for (let round = -VIDEO_WARM_UP; round < VIDEO_ROUNDS; round++) {
    const before = process.cpuUsage();
    await sign(signer, video, 'video/mp4');
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) costs.push((user + system) / 1_000);
  }
  await signer.close();
  return median(costs);
}

/** The memory of a process that signs one small image after the other: it must not grow. */
export async function measureManySignatures(images: readonly DrawnImage[], count: number): Promise<void> {
  const signer = signerOfBench();
  const rows: Cell[][] = [];
  for (let done = 0; done < count; done++) {
    const image = images[done % images.length];
    if (image) await sign(signer, image.file, `image/${image.format}`);
    if ((done + 1) % Math.ceil(count / SAMPLES) === 0) rows.push([String(done + 1), process.memoryUsage.rss() / MB]);
  }
  await signer.close();
  console.log(textTable(['signatures', 'resident, MB'], rows));
}
