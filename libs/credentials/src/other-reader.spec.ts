import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { localKey } from './claim-key';
import { CredentialSigner } from './credential-signer';
import { AUTHORITY, PROGRAM, STRANGER, drawImage, signAs } from './credential.fixtures';
import type { OutputFacts, OutputIngredient } from './output-manifest';

const run = promisify(execFile);
const OTHER_READER = path.join(__dirname, '../../../test/support/read-credential.mjs');
const FACTS: Omit<OutputFacts, 'action' | 'ingredients'> = {
  jobId: '01890000-0000-7000-8000-000000000000',
  model: 'general-image',
  digitalSourceType: 'trainedAlgorithmicMedia',
  isMarked: false,
  madeAt: new Date('2026-11-28T12:00:00Z'),
  droppedCredentials: ['Input image 3'],
};
const ACTIONS = ['created', 'edited', 'repackaged'] as const;

describe('a reader that is not ours', () => {
  const key = localKey(AUTHORITY.certificatePem, AUTHORITY.keyPem);
  const options = { key, generator: { name: 'Kinora', version: '1' }, timeStamper: null, needsTimeStamp: false };
  const signer = new CredentialSigner(options, PROGRAM);
  afterAll(() => signer.close());

  it.each((['png', 'jpeg'] as const).flatMap((format) => ACTIONS.map((action) => [format, action] as const)))(
    'finds a %s file that was %s valid, and no longer once a byte has changed',
    async (format, action) => {
      const mediaType = `image/${format}` as const;
      const signedInput = await signAs(STRANGER, await drawImage('png', 'blue'), 'image/png');
      const ingredient = (role: OutputIngredient['role'], file: Buffer | null) =>
        ({ title: `The ${role}`, role, file, mediaType: 'image/png' }) as const;
      const parents = action === 'created' ? [] : [ingredient('parent', signedInput)];
      const ingredients = [...parents, ingredient('input', signedInput), ingredient('input', null)];
      const { bytes } = await signer.sign(await drawImage(format), mediaType, { ...FACTS, action, ingredients });
      expect(await readElsewhere(bytes, mediaType)).toEqual({ isValid: true, problems: [] });
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
      expect(await readElsewhere(bytes, mediaType)).toMatchObject({ isValid: false });
    },
  );
});

async function readElsewhere(file: Buffer, mediaType: string): Promise<unknown> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-other-reader-'));
  try {
    const signed = path.join(folder, 'signed');
    await writeFile(signed, file);
    const { stdout } = await run(process.execPath, [OTHER_READER, signed, mediaType]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}
