import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { RENDER_WORKER } from '../fixtures/test-sandbox.fixtures';
import { type DrawOrder, InvalidInputError } from '../drawing/draw-order';
import { drawImage } from './draw-image';
import { RenderPool, replacementDelayMs } from './render-pool';

const order: DrawOrder = {
  operation: 'image.generation',
  prompt: 'an island at noon',
  negativePrompt: '',
  width: 128,
  height: 96,
  seed: 3,
  styles: [],
  images: [],
  blocked: false,
};
const wanted = new AbortController().signal;
const ignore = (): void => undefined;

/** A thread that exits on a special prompt, like a thread that has run out of memory. */
const FRAGILE_THREAD = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ order }) =>
    order.prompt === 'die' ? process.exit(1) : parentPort.postMessage({ bytes: new Uint8Array(3) }),
  );
`;

describe('render pool', () => {
  const pool = new RenderPool(RENDER_WORKER, 1);
  afterAll(() => pool.close());

  it('draws on its threads exactly the bytes that are drawn without them', async () => {
    const inProcess = await drawImage(order, ignore);
    const inThread = await pool.draw(order, wanted, ignore);
    expect(Buffer.compare(inThread, inProcess)).toBe(0);
  });

  it('counts the drawn layers, without a fall', async () => {
    let read: () => number = () => -1;
    const given = pool.draw({ ...order, width: 512, height: 512 }, wanted, (readPercent) => (read = readPercent));
    let isDrawn = false;
    void given.finally(() => (isDrawn = true));
    const seen: number[] = [];
    await waitFor(() => {
      seen.push(read());
      return isDrawn;
    });
    const counted = seen.filter((percent) => percent >= 0);
    expect(counted).toEqual([...counted].sort((a, b) => a - b));
    expect(read()).toBe(90);
  });

  it('stops a drawing in the middle, and is free for the next at once', async () => {
    const abort = new AbortController();
    let isStarted = false;
    const large = { ...order, prompt: 'pine forest', width: 2048, height: 2048 };
    const given = pool.draw(large, abort.signal, () => {
      isStarted = true;
      abort.abort();
    });
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect(isStarted).toBe(true);
    expect((await pool.draw(order, wanted, ignore)).length).toBeGreaterThan(0);
  });

  it('never begins a drawing that was canceled while it waited', async () => {
    const abort = new AbortController();
    const onStart = jest.fn();
    const first = pool.draw(order, wanted, ignore);
    const second = pool.draw(order, abort.signal, onStart);
    abort.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await first;
    await pool.draw(order, wanted, ignore);
    expect(onStart).not.toHaveBeenCalled();
  });

  it('distinguishes an invalid input from a failure of its own', async () => {
    const images = [Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])];
    const edit = { ...order, operation: 'image.edit' as const, images };
    await expect(pool.draw(edit, wanted, ignore)).rejects.toBeInstanceOf(InvalidInputError);
  });

  it('replaces a thread that dies, and fails only its current drawing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kinora-render-'));
    const file = path.join(folder, 'fragile.js');
    await writeFile(file, FRAGILE_THREAD);
    const fragile = new RenderPool({ file }, 1);
    const fatal = fragile.draw({ ...order, prompt: 'die' }, wanted, ignore);
    const next = fragile.draw(order, wanted, ignore);
    await expect(fatal).rejects.toThrow('has ended');
    expect(await next).toHaveLength(3);
    await fragile.close();
    await rm(folder, { recursive: true });
  });

  it('doubles the delay of a replacement with each crash up to some seconds, for any number of crashes', () => {
    expect([1, 2, 3, 6, 7, 5_000].map(replacementDelayMs)).toEqual([100, 200, 400, 3200, 5000, 5000]);
  });
});
