import { generateKeyPairSync, sign } from 'node:crypto';
import sharp from 'sharp';
import { ManualClock, TYPESCRIPT_ARGUMENTS, encodeTestVideo } from '@kinora/testing';
import { BUILT_IN_DECODER, sampleFrames, takeVideo } from '@kinora/videos';
import { localKey, remoteKey } from './claim-key';
import { CREDENTIAL_BOUNDS } from './credential';
import { CredentialReader } from './credential-reader';
import { CredentialSigner, type SignerOptions } from './credential-signer';
import { AUTHORITY, PROGRAM, STRANGER, drawImage, signAs } from './credential.fixtures';
import type { OutputFacts } from './output-manifest';

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const KEY = localKey(AUTHORITY.certificatePem, AUTHORITY.keyPem);
const FACTS: OutputFacts = {
  jobId: '01890000-0000-7000-8000-000000000000',
  model: 'general-image',
  action: 'created',
  digitalSourceType: 'trainedAlgorithmicMedia',
  isMarked: false,
  madeAt: new Date('2026-11-28T12:00:00Z'),
  ingredients: [],
  droppedCredentials: [],
};

describe('signing outputs', () => {
  const reader = new CredentialReader({ ownPem: AUTHORITY.certificatePem }, PROGRAM, new ManualClock());
  const signers: CredentialSigner[] = [];
  const signerWith = (options: Partial<SignerOptions> = {}) => {
    const generator = { name: 'Kinora', version: '1.0.0' };
    const signer = new CredentialSigner(
      { key: KEY, generator, timeStamper: null, needsTimeStamp: false, ...options },
      PROGRAM,
    );
    signers.push(signer);
    return signer;
  };
  afterAll(() => Promise.all([reader.close(), ...signers.map((signer) => signer.close())]));

  it.each(FORMATS)('adds a credential of at most 6 KB to a %s file, and changes no pixel', async (format) => {
    const file = await drawImage(format);
    const { bytes } = await signerWith().sign(file, `image/${format}`, FACTS);
    expect(await pixelsOf(bytes)).toEqual(await pixelsOf(file));
    expect(bytes.length - file.length).toBeLessThan(6 * 1024);
    expect(await reader.readCredential(bytes, `image/${format}`)).toMatchObject({
      valid: true,
      ours: true,
      signer: 'Ours',
      model: 'general-image',
      createdAt: FACTS.madeAt,
      digitalSourceType: 'trainedAlgorithmicMedia',
    });
    expect(bytes.includes(FACTS.jobId)).toBe(true);
  });

  it('adds a credential to a video, and changes no picture', async () => {
    const frameAt = (index: number) => new Uint8Array(64 * 64 * 4).fill(40 + 20 * index);
    const made = await encodeTestVideo({ width: 64, height: 64, fps: 8, frames: 8, frameAt });
    const { bytes: file } = await takeVideo(made, { provenance: 'trainedAlgorithmicMedia' });
    const { bytes } = await signerWith().sign(file, 'video/mp4', FACTS);
    expect(await picturesOf(bytes)).toEqual(await picturesOf(file));
    expect(bytes.length - file.length).toBeLessThan(6 * 1024);
    expect(await reader.readCredential(bytes, 'video/mp4')).toMatchObject({ valid: true, ours: true, signer: 'Ours' });
    bytes.writeUInt8(bytes.readUInt8(bytes.lastIndexOf('mdat') + 200) ^ 1, bytes.lastIndexOf('mdat') + 200);
    expect(await reader.readCredential(bytes, 'video/mp4')).toMatchObject({ valid: false, ours: false });
  });

  it('keeps the credential of an input as an ingredient, and says which it could not keep', async () => {
    const input = await signAs(STRANGER, await drawImage('png', 'blue'), 'image/png');
    const ingredients = [{ title: 'Input image 1', role: 'parent', file: input, mediaType: 'image/png' }] as const;
    const facts: OutputFacts = {
      ...FACTS,
      action: 'edited',
      ingredients: [...ingredients],
      droppedCredentials: ['Input image 2'],
    };
    const { bytes } = await signerWith().sign(await drawImage('webp'), 'image/webp', facts);
    expect(await reader.readCredential(bytes, 'image/webp')).toMatchObject({
      valid: true,
      model: 'general-image',
      ingredients: [{ title: 'Input image 1', valid: true, signer: 'Stranger' }],
    });
    expect(bytes.includes('Input image 2')).toBe(true);
  });

  it('reads a file that was made from a file, and so on, and refuses it where there is no end to that', async () => {
    const signer = signerWith();
    let file = await drawImage('webp');
    const signOnce = async () => {
      const parent = { title: 'Input image 1', role: 'parent', file, mediaType: 'image/webp' } as const;
      const { bytes } = await signer.sign(file, 'image/webp', { ...FACTS, action: 'edited', ingredients: [parent] });
      file = bytes;
    };
    for (let manifests = 0; manifests < CREDENTIAL_BOUNDS.manifests; manifests++) await signOnce();
    expect(await reader.readCredential(file, 'image/webp')).toMatchObject({
      valid: true,
      ingredients: [{ valid: true }],
    });
    await signOnce();
    await expect(reader.readCredential(file, 'image/webp')).rejects.toMatchObject({ reason: 'unreadable' });
  });

  it('keeps a broken credential of an input as broken', async () => {
    const input = await signAs(STRANGER, await drawImage('jpeg', 'blue'), 'image/jpeg');
    input.writeUInt8(input.readUInt8(input.length - 400) ^ 1, input.length - 400);
    const ingredients = [{ title: 'Input image 1', role: 'input', file: input, mediaType: 'image/jpeg' } as const];
    const { bytes } = await signerWith().sign(await drawImage('png'), 'image/png', { ...FACTS, ingredients });
    expect(await reader.readCredential(bytes, 'image/png')).toMatchObject({
      valid: true,
      ingredients: [{ title: 'Input image 1', valid: false, signer: 'Stranger' }],
    });
  });

  it.each([
    ['a pixel', (file: Buffer) => file.length - 60],
    ['an assertion', (file: Buffer) => file.indexOf(FACTS.jobId)],
    ['the time', (file: Buffer) => file.indexOf('2026-11-28T12') + 3],
  ])('is no longer valid once %s has changed', async (_, place) => {
    const { bytes } = await signerWith().sign(await drawImage('webp'), 'image/webp', FACTS);
    bytes.writeUInt8(bytes.readUInt8(place(bytes)) ^ 1, place(bytes));
    expect(await reader.readCredential(bytes, 'image/webp')).toMatchObject({ valid: false, ours: false });
  });

  it('signs with a key that another program holds, and finds a wrong signature', async () => {
    const file = await drawImage('png');
    const remote = remoteKey(AUTHORITY.certificatePem, (bytes) => KEY.sign(bytes));
    const { bytes } = await signerWith({ key: remote }).sign(file, 'image/png', FACTS);
    expect(await reader.readCredential(bytes, 'image/png')).toMatchObject({ ours: true });
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const lying = remoteKey(AUTHORITY.certificatePem, (one) =>
      Promise.resolve(sign('sha256', one, { key, dsaEncoding: 'ieee-p1363' })),
    );
    await expect(signerWith({ key: lying }).sign(file, 'image/png', FACTS)).rejects.toThrow('wrong signature');
  });

  it('signs without a time stamp where the authority is away, unless one is required', async () => {
    const file = await drawImage('png');
    const timeStamper = () => Promise.reject(new Error('away'));
    const { bytes, isStampMissing } = await signerWith({ timeStamper }).sign(file, 'image/png', FACTS);
    expect(isStampMissing).toBe(true);
    expect(await reader.readCredential(bytes, 'image/png')).toMatchObject({ valid: true });
    const strict = signerWith({ timeStamper, needsTimeStamp: true });
    await expect(strict.sign(file, 'image/png', FACTS)).rejects.toMatchObject({ name: 'TimeStampMissing' });
  });
});

async function picturesOf(file: Buffer): Promise<Buffer[]> {
  const sampling = {
    ffmpegPath: '',
    timeoutMs: 60_000,
    builtInDecoder: { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS },
  };
  const pictures: Buffer[] = [];
  for await (const { rgb } of sampleFrames(file, sampling)) pictures.push(rgb);
  return pictures;
}

function pixelsOf(file: Buffer): Promise<Buffer> {
  return sharp(file).raw().toBuffer();
}
