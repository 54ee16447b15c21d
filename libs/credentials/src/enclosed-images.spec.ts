import { ManualClock } from '@kinora/testing';
import sharp from 'sharp';
import { CredentialReader } from './credential-reader';
import { AUTHORITY, PROGRAM, drawImage, signAs, signWithThumbnail } from './credential.fixtures';
import { readEnclosedImages, readEnclosure } from './enclosed-images';

describe('images in content credentials', () => {
  const reader = new CredentialReader({}, PROGRAM, new ManualClock());
  afterAll(() => reader.close());

  it('are found in the credentials of a file, and of what went into it', async () => {
    const file = await drawImage('png');
    const preview = await drawImage('png', 'blue', 16);
    const inner = await signWithThumbnail(file, 'image/png', preview);
    const ingredients = [{ title: 'inner', file: inner, mediaType: 'image/png' as const }];
    const outer = await signAs(AUTHORITY, await drawImage('jpeg'), 'image/jpeg', { ingredients });
    for (const [one, type] of [
      [inner, 'image/png'],
      [outer, 'image/jpeg'],
    ] as const) {
      expect(await readEnclosure(reader, one, type)).toEqual({ state: 'readable', images: [preview] });
      expect(await readEnclosedImages(reader, one, type)).toEqual([preview]);
    }
  });

  it('make credentials unreadable where they are no images, or unfold to more than a preview', async () => {
    const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const thumbnail of [Buffer.from('no image'), bomb]) {
      const file = await signWithThumbnail(await drawImage('png'), 'image/png', thumbnail);
      expect(await readEnclosure(reader, file, 'image/png')).toEqual({ state: 'unreadable' });
      expect(await readEnclosedImages(reader, file, 'image/png')).toBeNull();
    }
  });

  it('are not looked for without credentials', async () => {
    expect(await readEnclosure(reader, await drawImage('webp'), 'image/webp')).toEqual({ state: 'none' });
    expect(await readEnclosedImages(reader, Buffer.from('text'), 'text/plain')).toEqual([]);
  });
});
