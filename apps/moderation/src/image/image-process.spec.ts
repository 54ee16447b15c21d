import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { waitFor } from '@kinora/testing';
import { gateOf, startImageProcess } from '../../test/gate.fixtures';
import type { Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';
import type { ImageProcess } from './image-process';

/** Above the pixels that the service decodes itself. */
const LARGE = { width: 2_048, height: 1_024 };
/** Where the header of a PNG begins, its width, and its checksum. */
const HEADER = { type: 12, width: 16, checksum: 29 };

describe('the image process', () => {
  let images: ImageProcess;
  let gate: Gate;

  beforeAll(async () => {
    images = startImageProcess();
    gate = await gateOf('engines: []', { images });
  });

  afterAll(() => images.onApplicationShutdown());

  const painted = (size: { width: number; height: number }): Promise<Buffer> =>
    sharp({ create: { ...size, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
  /** What the gate says, or the code of its error. */
  const judge = (bytes: Buffer, by = gate): Promise<string> =>
    by.judge({ texts: [], images: [{ param: null, bytes, sha256: sha256Of(bytes) }] }).then(
      ({ outcome }) => outcome,
      (error: { code?: string; reason?: string }) => error.code ?? error.reason ?? 'another error',
    );

  it.each([
    ['a small image', { width: 320, height: 200 }, 'score'],
    ['a large image', LARGE, 'decode'],
  ] as const)('that does not answer about %s lets it neither pass nor wait for ever', async (_, size, request) => {
    const bytes = await painted(size);
    await images.score([Buffer.alloc(224 * 224 * 3)], null);
    const { pid = 0 } = images;
    process.kill(pid, 'SIGSTOP');
    const requested = jest.spyOn(images, request);
    const judged = judge(bytes);
    await waitFor(() => requested.mock.calls.length > 0);
    process.kill(pid, 'SIGKILL');
    expect(await judged).toBe('capacity');
    expect(await judge(bytes)).toBe('passed');
    expect(images.pid).not.toBe(pid);
  });

  it('that gets no memory for the model ends, and lets nothing pass', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-starved-'));
    const preload = path.join(folder, 'starve.cjs');
    await writeFile(preload, `WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory'); };`);
    const starved = startImageProcess(['--require', preload]);
    const bytes = await painted({ width: 320, height: 200 });
    expect(await judge(bytes, await gateOf('engines: []', { images: starved }))).toBe('capacity');
    await expect(starved.score([Buffer.alloc(224 * 224 * 3)], null)).rejects.toThrow('did not finish');
    await rm(folder, { recursive: true });
  });

  it('refuses a file of more pixels than any image has, and goes on', async () => {
    expect(await judge(await painted(LARGE))).toBe('passed');
    const { pid } = images;
    const bomb = await painted(LARGE);
    bomb.writeUInt32BE(200_000, HEADER.width);
    bomb.writeUInt32BE(crc32(bomb.subarray(HEADER.type, HEADER.checksum)), HEADER.checksum);
    expect(await judge(bomb)).toBe('too_large_side');
    expect(images.pid).toBe(pid);
  });
});
