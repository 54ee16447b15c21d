import { crc32 } from 'node:zlib';
import { ManualClock, waitFor } from '@kinora/testing';
import { CREDENTIAL_BOUNDS } from './credential';
import { CredentialReader } from './credential-reader';
import { makeLocalAuthority } from './local-authority';
import { AUTHORITY, PROGRAM, STRANGER, drawImage, signAs } from './credential.fixtures';

const FORMATS = ['png', 'jpeg', 'webp'] as const;

describe('reading content credentials', () => {
  let clock: ManualClock;
  const readers: CredentialReader[] = [];
  const readerWith = (known = {}) => {
    const reader = new CredentialReader(known, PROGRAM, clock);
    readers.push(reader);
    return reader;
  };
  beforeEach(() => {
    clock = new ManualClock();
  });
  afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));

  it.each(FORMATS)('finds none in a %s file without a manifest', async (format) => {
    expect(await readerWith().readCredential(await drawImage(format), `image/${format}`)).toBeNull();
  });

  it.each(FORMATS)('says of a %s file who signed it, with what, and whether that was us', async (format) => {
    const file = await signAs(AUTHORITY, await drawImage(format), `image/${format}`);
    const known = { ownPem: AUTHORITY.certificatePem, anchorsPem: STRANGER.rootPem };
    expect(await readerWith(known).readCredential(file, `image/${format}`)).toMatchObject({
      valid: true,
      trusted: false,
      ours: true,
      signer: 'Ours',
      model: 'a-model',
      digitalSourceType: 'trainedAlgorithmicMedia',
      ingredients: [],
      thumbnails: [],
    });
  });

  it('trusts a signer only by an anchor of the operator', async () => {
    const file = await signAs(STRANGER, await drawImage('png'), 'image/png');
    const facts = { valid: true, ours: false, signer: 'Stranger' };
    expect(await readerWith().readCredential(file, 'image/png')).toMatchObject({ ...facts, trusted: false });
    const trusting = readerWith({ anchorsPem: STRANGER.rootPem, ownPem: AUTHORITY.certificatePem });
    expect(await trusting.readCredential(file, 'image/png')).toMatchObject({ ...facts, trusted: true });
  });

  it('takes no other customer of the same authority for ours', async () => {
    const file = await signAs(AUTHORITY, await drawImage('png'), 'image/png');
    const read = await readerWith({ ownPem: AUTHORITY.rootPem }).readCredential(file, 'image/png');
    expect(read).toMatchObject({ valid: true, ours: false });
  });

  it('knows its certificate of before a rotation', async () => {
    const renewed = makeLocalAuthority('Ours', new Date());
    const reader = readerWith({ ownPem: `${renewed.certificatePem}${AUTHORITY.certificatePem}` });
    for (const [authority, ours] of [
      [AUTHORITY, true],
      [renewed, true],
      [STRANGER, false],
    ] as const) {
      const file = await signAs(authority, await drawImage('png'), 'image/png');
      expect(await reader.readCredential(file, 'image/png')).toMatchObject({ valid: true, trusted: false, ours });
    }
  });

  it('finds one changed byte of the image, and then trusts nothing', async () => {
    const file = await signAs(AUTHORITY, await drawImage('jpeg'), 'image/jpeg');
    file.writeUInt8(file.readUInt8(file.length - 400) ^ 1, file.length - 400);
    const read = await readerWith({ ownPem: AUTHORITY.certificatePem }).readCredential(file, 'image/jpeg');
    expect(read).toMatchObject({ valid: false, ours: false, signer: 'Ours' });
  });

  it('lists the ingredients with their own signers', async () => {
    const inner = await signAs(STRANGER, await drawImage('png'), 'image/png');
    const plain = await drawImage('webp');
    const ingredients = [
      { title: 'signed', file: inner, mediaType: 'image/png' as const },
      { title: 'plain', file: plain, mediaType: 'image/webp' as const },
    ];
    const file = await signAs(AUTHORITY, await drawImage('jpeg'), 'image/jpeg', { ingredients });
    const read = await readerWith().readCredential(file, 'image/jpeg');
    expect(read?.ingredients).toEqual([
      { title: 'signed', valid: true, signer: 'Stranger', digitalSourceType: 'trainedAlgorithmicMedia' },
      { title: 'plain', valid: null, signer: null, digitalSourceType: null },
    ]);
  });

  it('refuses a manifest of 50 MB before it reads it', async () => {
    const png = await drawImage('png');
    const manifest = chunk('caBX', Buffer.alloc(50 * 1024 * 1024));
    const file = Buffer.concat([png.subarray(0, 33), manifest, png.subarray(33)]);
    const read = readerWith().readCredential(file, 'image/png');
    await expect(read).rejects.toMatchObject({ name: 'CredentialProblem', reason: 'too_large' });
  });

  it('refuses a manifest that is none, and reads the next file', async () => {
    const png = await drawImage('png');
    const reader = readerWith();
    const file = Buffer.concat([png.subarray(0, 33), chunk('caBX', Buffer.alloc(5_000, 7)), png.subarray(33)]);
    await expect(reader.readCredential(file, 'image/png')).rejects.toMatchObject({ reason: 'unreadable' });
    const signed = await signAs(AUTHORITY, png, 'image/png');
    expect(await reader.readCredential(signed, 'image/png')).toMatchObject({ valid: true });
  });

  it('gives up a file that takes more than five seconds, and reads the next file', async () => {
    const signed = await signAs(AUTHORITY, await drawImage('png'), 'image/png');
    const reader = readerWith();
    const slow = reader.readCredential(signed, 'image/png');
    await waitFor(() => clock.waiting > 0);
    clock.advance(CREDENTIAL_BOUNDS.readMs);
    await expect(slow).rejects.toMatchObject({ reason: 'too_slow' });
    expect(await reader.readCredential(signed, 'image/png')).toMatchObject({ valid: true });
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [data.length, crc32(body)].map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return bytes;
  });
  return Buffer.concat([length ?? body, body, checksum ?? body]);
}
