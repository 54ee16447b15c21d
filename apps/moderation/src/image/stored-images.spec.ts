import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { PROGRAM, signWithThumbnail } from '@kinora/credentials/fixtures';
import { FileObjectStore } from '@kinora/object-store';
import { gateOf, testDecoder } from '../../test/gate.fixtures';
import type { Gate } from '../gate/gate';
import { ModerationConfig } from '../moderation.config';
import { UnreadableImage } from './image-decoder';
import { readTestImage } from './known-image';
import { StoredImages } from './stored-images';

describe('images in the content credentials of a stored file', () => {
  let folder: string;
  let images: StoredImages;
  let gate: Gate;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-stored-images-'));
    const store = new FileObjectStore(folder);
    const settings = Object.assign(new ModerationConfig(), { credentialProgram: PROGRAM });
    images = new StoredImages(store, testDecoder(), settings);
    gate = await gateOf('engines: []');
    const fine = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#3a6' } })
      .png()
      .toBuffer();
    for (const [name, thumbnail] of [
      ['blocked', await readTestImage()],
      ['fine', fine],
      ['broken', Buffer.from('no image')],
    ] as const)
      await store.put(`${name}.png`, await signWithThumbnail(fine, 'image/png', thumbnail), { mime: 'image/png' });
  });
  afterAll(async () => {
    await images.onApplicationShutdown();
    await rm(folder, { recursive: true });
  });

  const judge = (object_key: string, param: string | null) =>
    images.judge([{ param, object_key }], (loaded) => gate.judge({ texts: [], images: loaded }));

  it.each(['image', null])(
    'are judged like the file, of field %s, and what they show is found in it',
    async (param) => {
      expect((await judge('fine.png', param)).outcome).toBe('passed');
      const blocked = await judge('blocked.png', param);
      expect(blocked).toMatchObject({
        outcome: 'blocked',
        objection: { content: 'image', param, reason: 'test_picture' },
      });
      expect(blocked.judgement.contentSha256).toHaveLength(1);
    },
  );

  it('are not handed on with an input if they cannot be judged, and do not pass with an output', async () => {
    expect((await judge('broken.png', 'image')).outcome).toBe('passed');
    await expect(judge('broken.png', null)).rejects.toBeInstanceOf(UnreadableImage);
  });
});
