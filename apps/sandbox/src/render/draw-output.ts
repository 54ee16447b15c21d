import { renderVideo } from '../video/render-video';
import { createWasmEncoder } from '../video/wasm-encoder';
import { type DrawOrder } from './draw-order';
import { drawPicture } from './draw-picture';

/** Draws whatever is ordered and gives the bytes of its file. `assertWanted` may throw to give the drawing up. */
export function drawOutput(order: DrawOrder, assertWanted: () => void): Promise<Uint8Array> {
  return order.operation === 'video.generation'
    ? renderVideo(order, createWasmEncoder, assertWanted)
    : drawPicture(order, assertWanted);
}
