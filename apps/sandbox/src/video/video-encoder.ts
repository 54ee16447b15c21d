/** Makes a video file of frames, one after the other; none of them is kept. */
export interface VideoEncoder {
  /** Takes a frame as the bytes of its three planes, which may change once it is taken. */
  add(frame: Uint8Array): Promise<void>;
  /** The whole file. */
  finish(): Promise<Uint8Array>;
  /** Lets go of everything, finished or not. */
  close(): Promise<void>;
}

export interface VideoFormat {
  /** Both sides are even. */
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly fps: number;
}

export type CreateVideoEncoder = (format: VideoFormat) => Promise<VideoEncoder>;
