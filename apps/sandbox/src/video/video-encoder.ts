/** Encodes frames into a video file, one after the other; none of them is kept. */
export interface VideoEncoder {
  /** Takes a frame as the bytes of its three planes, which may be overwritten once the promise resolves. */
  add(frame: Uint8Array): Promise<void>;
  finish(): Promise<Uint8Array>;
  /** Frees all resources, finished or not. */
  close(): Promise<void>;
}

export interface VideoFormat {
  /** Both sides are even. */
  readonly width: number;
  readonly height: number;
  /** In frames per second. */
  readonly fps: number;
}

export type CreateVideoEncoder = (format: VideoFormat) => Promise<VideoEncoder>;
