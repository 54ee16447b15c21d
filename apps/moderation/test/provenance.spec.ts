import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { v7 as uuidv7 } from 'uuid';
import type { Bus } from '@kinora/bus';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { complianceRpc } from '@kinora/contracts/moderation/compliance.rpc';
import { type ProvenanceCheck, provenanceRpc } from '@kinora/contracts/moderation/provenance.rpc';
import { makeLocalAuthority } from '@kinora/credentials';
import { AUTHORITY, PROGRAM, signAs, STRANGER } from '@kinora/credentials/fixtures';
import { statement } from '@kinora/database';
import { FileObjectStore } from '@kinora/object-store';
import { type TestDatabase, type TestService, encodeTestVideo } from '@kinora/testing';
import { FingerprintPruner } from '../src/background/fingerprint-pruner';
import { FingerprintRepository } from '../src/fingerprint/fingerprint.repository';
import { readTestImage } from '../src/image/known-image';
import { ModerationConfig } from '../src/moderation.config';
import { ModerationServiceFixture } from './moderation-service.fixtures';
import { randomImage } from './random-images.fixtures';

const SIDE = 256;
/** The life of a certificate of a local authority. */
const CERTIFICATE_DAYS = 5 * 365.25;
const AGE = statement('test_age_fingerprints', `UPDATE fingerprint SET created_at = now() - $1 * interval '1 day'`);
const COUNT = statement('test_count_fingerprints', 'SELECT count(*)::int AS fingerprints FROM fingerprint');
const COLUMNS = statement(
  'test_columns_of_fingerprint',
  `SELECT column_name FROM information_schema.columns WHERE table_name = 'fingerprint' ORDER BY column_name`,
);

describe('the origin of a file', () => {
  const moderation = new ModerationServiceFixture();
  let store: FileObjectStore;
  let database: TestDatabase;
  let service: TestService;
  let bus: Bus;

  beforeAll(async () => {
    await moderation.prepare();
    const ownCertificates = AUTHORITY.certificatePem;
    await moderation.start({ profile: 'local', credentialProgram: PROGRAM, ownCertificates });
    ({ database, service, bus } = moderation);
    store = new FileObjectStore(moderation.folder);
  });

  afterAll(() => moderation.close());

  const put = async (bytes: Buffer, extension = 'png'): Promise<string> => {
    const key = `outputs/${uuidv7()}.${extension}`;
    const mime = extension === 'mp4' ? 'video/mp4' : `image/${extension}`;
    await store.put(key, bytes, { mime });
    return key;
  };
  const screen = async (bytes: Buffer, extension = 'png') =>
    bus.request(moderationRpc.screenOutput, {
      ...{ account_id: uuidv7(), job_id: uuidv7(), model: 'general-image' },
      object_keys: [await put(bytes, extension)],
    });
  const check = async (bytes: Buffer, extension = 'png'): Promise<ProvenanceCheck> =>
    bus.request(provenanceRpc.check, { param: 'image', object_key: await put(bytes, extension) });
  const painting = (number: number): Promise<Buffer> => randomImage(number, SIDE).png().toBuffer();

  it('is this service for an output, and its model and time are told', async () => {
    const output = await painting(1);
    await screen(output);

    const { result, credential, match } = await check(output);

    expect({ result, credential }).toEqual({ result: 'match', credential: null });
    expect(match).toMatchObject({ exact: true, distance_bits: 0, model: 'general-image' });
    expect(Math.abs(Date.now() - Date.parse(match?.created_at ?? ''))).toBeLessThan(60_000);
  });

  it.each<[string, (output: Buffer) => Promise<Buffer>]>([
    ['stripped of metadata and encoded anew', (output) => sharp(output).png({ palette: true }).toBuffer()],
    ['scaled to half, as JPEG of quality 60', (output) => sharp(output).resize(128).jpeg({ quality: 60 }).toBuffer()],
    ['scaled to double', (output) => sharp(output).resize(512).webp().toBuffer()],
    [
      'cropped by 1.5 % a side',
      (output) =>
        sharp(output)
          .extract({ left: 4, top: 4, width: SIDE - 8, height: SIDE - 8 })
          .toBuffer(),
    ],
  ])('is similar to an output where a copy was %s', async (_what, copy) => {
    const output = await painting(2);
    await screen(output);

    const { result, match } = await check(await copy(output));

    expect(result).toBe('similar');
    expect(match).toMatchObject({ exact: false, model: 'general-image' });
  });

  it('is unknown for other images, and for a blank sheet that is none of our files', async () => {
    const sheet = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#3a6' } });
    await screen(await sheet.clone().png().toBuffer());

    const others = [await check(await painting(3)), await check(await sheet.jpeg().toBuffer())];

    const unknown = { object: 'provenance.check', result: 'unknown', credential: null, match: null };
    expect(others).toEqual([unknown, unknown]);
  });

  it('is unknown for the outlines of an output with other luminances', async () => {
    const output = await painting(11);
    await screen(output);
    const other = await sharp(output).linear(0.2, 100).png().toBuffer();
    expect(await check(other)).toMatchObject({ result: 'unknown', match: null });
  });

  it('is a video of this service for the file, and for a frame of it', async () => {
    const frame = await randomImage(4, SIDE).ensureAlpha().raw().toBuffer();
    const video = await encodeTestVideo({ width: SIDE, height: SIDE, fps: 16, frames: 8, frameAt: () => frame });
    await screen(video, 'mp4');

    expect(await check(video, 'mp4')).toMatchObject({ result: 'match', match: { exact: true } });
    expect(await check(await painting(4))).toMatchObject({ result: 'similar', match: { exact: false } });
  });

  it('is looked up for all frames of a video in two statements', async () => {
    const frameOf = async (number: number) => randomImage(number, SIDE).ensureAlpha().raw().toBuffer();
    const known = painting(20);
    await screen(await known);
    const frames = await Promise.all([21, 22, 23, 24, 25, 20].map(frameOf));
    const frameAt = (index: number) => frames[Math.floor(index / 16)] ?? Buffer.alloc(0);
    const findCopied = jest.spyOn(service.get(FingerprintRepository), 'findCopied');
    const video = await encodeTestVideo({ width: SIDE, height: SIDE, fps: 16, frames: 96, frameAt });
    const asked = await check(video, 'mp4');
    const statements = findCopied.mock.calls.length;
    findCopied.mockRestore();

    expect(asked).toMatchObject({ result: 'similar', match: { exact: false } });
    expect(statements).toBe(2);
  });

  it('is told by a credential, with who has signed it', async () => {
    const file = await painting(8);

    const ours = await check(await signAs(AUTHORITY, file, 'image/png'));
    const others = await check(await signAs(STRANGER, file, 'image/png'));

    expect(ours).toMatchObject({ result: 'credential', credential: { valid: true, ours: true }, match: null });
    expect(others).toMatchObject({
      result: 'credential',
      credential: { valid: true, ours: false, trusted: false, model: 'a-model' },
    });
  });

  it('is this service for a recorded file, also with a certificate that it no longer knows', async () => {
    const signed = await signAs(STRANGER, await painting(10), 'image/png');
    expect(await check(signed)).toMatchObject({ credential: { valid: true, ours: false } });
    await screen(signed);

    expect(await check(signed)).toMatchObject({ credential: { valid: true, ours: true }, match: { exact: true } });
    const copy = await signAs(STRANGER, await sharp(signed).jpeg().toBuffer(), 'image/jpeg');
    expect(await check(copy, 'jpeg')).toMatchObject({ credential: { ours: false }, match: { exact: false } });
  });

  it('is not believed of a credential whose file was changed', async () => {
    const signed = await signAs(AUTHORITY, await painting(9), 'image/png');
    // A text between the pixels and the end of the file.
    const text = Buffer.from('Title');
    const chunk = Buffer.concat([Buffer.from('tEXt'), text]);
    const framed = Buffer.concat([Buffer.alloc(4), chunk, Buffer.alloc(4)]);
    framed.writeUInt32BE(text.length, 0);
    framed.writeUInt32BE(crc32(chunk), framed.length - 4);
    const end = signed.length - 12;
    const changed = Buffer.concat([signed.subarray(0, end), framed, signed.subarray(end)]);

    expect(await check(changed)).toMatchObject({ result: 'unknown', credential: { valid: false, ours: false } });
  });

  it('is not told for an output that did not pass', async () => {
    const image = await readTestImage();
    expect(await screen(image)).toMatchObject({ verdict: 'blocked' });

    expect(await check(image)).toMatchObject({ result: 'unknown', match: null });
  });

  it('is refused with the field for a file that cannot be decoded', async () => {
    const cut = (await painting(5)).subarray(0, 400);

    const refusal = { code: 'invalid_body', param: 'image' };
    await expect(check(cut)).rejects.toMatchObject(refusal);
    await expect(check(Buffer.from('no image'))).rejects.toMatchObject(refusal);
    await expect(check(await painting(5), 'mp4')).rejects.toMatchObject(refusal);
  });

  it('is recorded once, however often the same output is screened', async () => {
    const output = await painting(6);
    await screen(output);
    const before = await database.database.query(COUNT);

    await screen(output);

    expect(await database.database.query(COUNT)).toEqual(before);
  });

  it('is recorded without job and account', async () => {
    const columns = await database.database.query(COLUMNS);

    expect(columns).toEqual(
      ['bands', 'created_at', 'file_sha256', 'frame', 'luminances', 'model', 'perceptual_hash'].map((column_name) => ({
        column_name,
      })),
    );
  });

  it('is shown to operators with everything that it rests on', async () => {
    const { lines, guide } = await bus.request(complianceRpc.show, {});
    const stateOf = (subject: string) => lines.find((line) => line.subject === subject)?.state;

    expect(lines.map(({ subject }) => subject)).toEqual([
      'Content credentials',
      'Trusted signers',
      'Fingerprints',
      'Check',
      'Moderation',
      'Hash lists',
      'Strikes',
      'Appeals',
    ]);
    expect(stateOf('Content credentials')).toMatch(/until \d{4}-\d\d-\d\d, of a root that is not in/);
    expect(stateOf('Fingerprints')).toMatch(/^since \d{4}-\d\d-\d\d, kept for 3650 days$/);
    expect(lines.every(({ purpose }) => purpose.endsWith('.'))).toBe(true);
    expect(guide).toBe('docs/operate/provenance.md');
  });

  it.each([
    [29, false],
    [31, true],
  ])('is shown as marked with a certificate that lasts %i more days: %s', async (days, isSet) => {
    const madeAt = new Date(Date.now() + (days - CERTIFICATE_DAYS) * 24 * 3_600_000);
    const { certificatePem } = makeLocalAuthority('Ours', madeAt);
    const own = jest.replaceProperty(service.get(ModerationConfig), 'ownCertificates', certificatePem);
    const { lines } = await bus.request(complianceRpc.show, {});
    expect(lines[0]).toMatchObject({ subject: 'Content credentials', is_set: isSet });
    own.restore();
  });

  it('is known for the days that the operator has set, and no longer', async () => {
    const output = await painting(7);
    await screen(output);
    const pruner = service.get(FingerprintPruner);
    await database.database.execute(AGE, [3_649]);
    await pruner.prunePage();
    expect((await check(output)).result).toBe('match');

    await database.database.execute(AGE, [3_651]);
    await pruner.prunePage();

    expect((await check(output)).result).toBe('unknown');
  });
});
