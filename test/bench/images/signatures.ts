import {
  CredentialsConfig,
  createSigner,
  makeLocalAuthority,
  type CredentialSigner,
  type CredentialType,
} from '../../../libs/credentials/src';
import { Egress, EgressAllowList } from '../../../libs/egress/src';
import { takeVideo } from '../../../libs/videos/src';
import { median } from '../load';
import { drawVideo } from './drawn-images';

const VIDEO_WARM_UP = 5;
const VIDEO_ROUNDS = 25;

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
