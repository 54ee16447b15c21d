/** One picture to draw. Plain data, so that it can be handed to a worker thread. */
export interface DrawOrder {
  readonly operation: 'image.generation' | 'image.edit';
  /** Without its directives. */
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly steps?: number;
  readonly guidance?: number;
  readonly styles: readonly StyleOrder[];
  /** Files of the pictures to edit. */
  readonly images: readonly Uint8Array[];
  /** Asks for the moderation test picture instead. */
  readonly blocked: boolean;
}

export interface StyleOrder {
  readonly id: string;
  readonly strength: number;
}

/** Draws to the end, or rejects with an AbortError once the signal is given. `onStart` is called when it is really begun. */
export type Draw = (order: DrawOrder, signal: AbortSignal, onStart: () => void) => Promise<Uint8Array>;

/** The input is at fault: a picture that cannot be decoded. */
export class InvalidInputError extends Error {}

export class DrawingCanceledError extends Error {}
