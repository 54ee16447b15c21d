import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';

/** By what an engine calls it: how sure it is, or how grave it finds it. The scale is the engine's own. */
export type Scores = Readonly<Record<string, number>>;

/** The engines that every installation has, by their names. */
export const BUILT_IN_ENGINES: readonly string[] = ['rules', 'hash'];

/** What one engine says of one piece of content. */
export interface Opinion {
  /** The reason code of what is wrong with the content, or null. */
  objection: string | null;
  /** Whether it objects only because a score of its has reached the operator's threshold. */
  isByThreshold?: boolean;
  /** Empty where an engine only knows yes and no. */
  scores: Scores;
}

/**
 * Judges one piece of content. An engine that cannot judge throws: an unreadable image, a missing answer, an answer
 * that makes no sense. It never lets pass what it did not understand.
 */
export interface Engine<Content> {
  readonly name: string;
  /** Names what it judges by, so that a decision can be understood later. */
  readonly version: string;
  judge(content: Content): Opinion | Promise<Opinion>;
}

/** An image that was read from the object store, or a frame of a video. */
export interface LoadedImage {
  /** The request's field, for an input; null for an output. */
  param: string | null;
  bytes: Buffer;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  /** Given where the bytes are pixels already, three bytes each. */
  pixels?: { width: number; height: number };
}

/** Luminance of 64 by 64 pixels, 0 to 255, row by row. */
export type Plane = Float64Array;

/** One way to see an image. */
export interface ImageView {
  plane: Plane;
  /** For engines elsewhere; null where there are none. */
  jpeg: Buffer | null;
}

/** An image as engines judge it: decoded once for all of them. */
export interface ShownImage extends Pick<LoadedImage, 'param' | 'sha256'> {
  /** @throws ImageProblem for what is no whole image. */
  views: () => readonly ImageView[];
}

/** A video that was read from the object store. It is judged on its frames, which are images to the engines. */
export interface LoadedVideo {
  /** Of the file, in hexadecimal. */
  sha256: string;
  /** Each is made when it is asked for. Throws when an image of the video cannot be seen. */
  frames: () => AsyncIterable<LoadedImage>;
}

/** All engines that must pass, by what they judge. */
export abstract class Engines {
  abstract readonly text: readonly Engine<ScreenedText>[];
  abstract readonly image: readonly Engine<ShownImage>[];
}
