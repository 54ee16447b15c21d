interface AnyOrder {
  /** Without its directives. */
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** The files of the images to edit; of a video its start frame. */
  readonly images: readonly Uint8Array[];
  /** Draws the moderation test image instead. */
  readonly blocked: boolean;
}

export interface ImageOrder extends AnyOrder {
  readonly operation: 'image.generation' | 'image.edit';
  readonly steps?: number;
  readonly guidance?: number;
  readonly styles: readonly StyleOrder[];
}

export interface VideoOrder extends AnyOrder {
  readonly operation: 'video.generation';
  readonly frames: number;
  /** In frames per second. */
  readonly fps: number;
}

/** One output to draw. Plain data, so that it can be sent to a worker thread. */
export type DrawOrder = ImageOrder | VideoOrder;

export interface StyleOrder {
  readonly id: string;
  readonly strength: number;
}

/** How much of an order is drawn now, in percent: its layers or frames. It never falls. */
export type ReadPercent = () => number;

/**
 * Draws to the end, or rejects with an AbortError once the signal is aborted. `onStart` is called when the drawing
 * begins. Orders with the same signal belong to one task and are scheduled as one.
 */
export type Draw = (
  order: DrawOrder,
  signal: AbortSignal,
  onStart: (readPercent: ReadPercent) => void,
) => Promise<Uint8Array>;

/** Called between the steps of a drawing with the part that is drawn, 0 to 1. Throws to stop the drawing. */
export type DrawingStep = (part?: number) => void;

/** The input is at fault: an image that cannot be decoded. */
export class InvalidInputError extends Error {}

export class DrawingCanceledError extends Error {}

/** The bytes that a pool and its thread share while an order is drawn: whether it is canceled, and its percentage. */
export const SHARED = { canceled: 0, percent: 1 } as const;
