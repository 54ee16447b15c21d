interface AnyOrder {
  /** Without its directives. */
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** Files of the pictures to edit; of a video its start frame. */
  readonly images: readonly Uint8Array[];
  /** Asks for the moderation test picture instead. */
  readonly blocked: boolean;
}

export interface PictureOrder extends AnyOrder {
  readonly operation: 'image.generation' | 'image.edit';
  readonly steps?: number;
  readonly guidance?: number;
  readonly styles: readonly StyleOrder[];
}

export interface VideoOrder extends AnyOrder {
  readonly operation: 'video.generation';
  readonly frames: number;
  /** Frames a second. */
  readonly fps: number;
}

/** One output to draw. Plain data, so that it can be handed to a worker thread. */
export type DrawOrder = PictureOrder | VideoOrder;

export interface StyleOrder {
  readonly id: string;
  readonly strength: number;
}

/**
 * Draws to the end, or rejects with an AbortError once the signal is given. `onStart` is called when it is really begun.
 * Orders with the same signal belong to one task, and share its turns.
 */
export type Draw = (order: DrawOrder, signal: AbortSignal, onStart: () => void) => Promise<Uint8Array>;

/** The input is at fault: a picture that cannot be decoded. */
export class InvalidInputError extends Error {}

export class DrawingCanceledError extends Error {}
