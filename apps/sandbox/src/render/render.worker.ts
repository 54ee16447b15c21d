import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { renderVideo } from '../video/render-video';
import {
  type DrawOrder,
  type DrawingStep,
  DrawingCanceledError,
  InvalidInputError,
  SHARED,
} from '../drawing/draw-order';
import { drawImage } from './draw-image';

export interface RenderRequest {
  readonly order: DrawOrder;
  readonly shared: Uint8Array;
}

export type RenderReply =
  | { readonly bytes: Uint8Array }
  | { readonly problem: 'canceled' | 'invalid_input' | 'failed'; readonly message: string };

/** Lower priority than the thread that answers HTTP: on a busy machine drawing is delayed, not the answers. */
const NICENESS = 10;

// The pool already uses every core, and no image is read twice.
sharp.concurrency(1);
sharp.cache(false);
lowerPriority();

parentPort?.on('message', (request: RenderRequest) => {
  void reply(request).then((answer) => parentPort?.postMessage(answer));
});

async function reply({ order, shared }: RenderRequest): Promise<RenderReply> {
  try {
    const bytes = await draw(order, (part = 0) => {
      if (Atomics.load(shared, SHARED.canceled) !== 0) throw new DrawingCanceledError();
      Atomics.store(shared, SHARED.percent, Math.max(Atomics.load(shared, SHARED.percent), Math.floor(part * 100)));
    });
    return { bytes };
  } catch (error) {
    if (error instanceof DrawingCanceledError) return { problem: 'canceled', message: '' };
    const message = error instanceof Error ? error.message : String(error);
    return { problem: error instanceof InvalidInputError ? 'invalid_input' : 'failed', message };
  }
}

function draw(order: DrawOrder, assertWanted: DrawingStep): Promise<Uint8Array> {
  return order.operation === 'video.generation' ? renderVideo(order, assertWanted) : drawImage(order, assertWanted);
}

function lowerPriority(): void {
  // Only on Linux does a priority belong to the thread; elsewhere this would slow down the whole process.
  if (process.platform !== 'linux' || os.getPriority() >= NICENESS) return;
  try {
    os.setPriority(NICENESS);
  } catch {
    // Without the permission to lower the priority, the thread draws at the normal one.
  }
}
