import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';

/** Scores by the engine's category: a probability or a severity. The scale is the engine's own. */
export type Scores = Readonly<Record<string, number>>;

/** The engines that every installation has, by their names. */
export const BUILT_IN_ENGINES: readonly string[] = ['rules', 'hash', 'local'];
/** Of these, decisions keep objections only: without scores there is nothing to compare with another threshold. */
export const ENGINES_WITHOUT_SCORES: readonly string[] = ['rules', 'hash'];

/** The result of one engine for one piece of content. */
export interface Opinion {
  /** The reason code of the objection, or null. */
  objection: string | null;
  /** Whether the only reason of the objection is a score that has reached the operator's threshold. */
  isByThreshold?: boolean;
  /** Empty for an engine without scores. */
  scores: Scores;
}

/**
 * Judges one piece of content. An engine that cannot judge throws: for an unreadable image, a missing answer or an invalid
 * answer. It never passes content that it could not judge.
 */
export interface Engine<Content> {
  readonly name: string;
  /** Identifies the rules and the model, so that a decision can be explained later. */
  readonly version: string;
  judge(content: Content): Opinion | Promise<Opinion>;
}

/** An image that was read from the object store, or a frame of a video. */
export interface LoadedImage {
  /** The request's field, for an input; null for an output. */
  param: string | null;
  bytes: Buffer;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
  /** Set where the bytes are raw RGB pixels, three bytes each. */
  pixels?: { width: number; height: number };
  /** Images in the content credentials of the file, which verifiers show beside it. */
  enclosed?: readonly Buffer[];
}

/** Luminance of 64 by 64 pixels, 0 to 255, row by row. */
export type Plane = Float64Array;

export interface ImageView {
  plane: Plane;
  /** For external engines; null where there are none. */
  jpeg: Buffer | null;
  /** How sexual the image model finds it, 0 to 1. */
  sexual: number;
}

/** An image in the form that engines judge: decoded once for all of them. */
export interface ShownImage extends Pick<LoadedImage, 'param' | 'sha256'> {
  /** Whether a text of the job mentions a minor, a childhood or an age under eighteen. */
  hasYoungContext: boolean;
  /** @throws UnreadableImage for a file that is not a complete image. */
  views: () => readonly ImageView[];
}

/** Called with an image or a frame that all engines have judged, and with the hash of its file. */
export type OnJudged = (fileSha256: string, image: ShownImage) => void;

/** A video that was read from the object store. Engines judge its frames as images. */
export interface LoadedVideo {
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** Images in the content credentials of the file, which verifiers show beside it. */
  enclosed?: readonly Buffer[];
  /** Frames are decoded on demand. Throws when a frame of the video cannot be decoded. */
  frames: () => AsyncIterable<LoadedImage>;
}

/** All engines that must pass the content, by the kind of content that they judge. */
export abstract class Engines {
  abstract readonly text: readonly Engine<ScreenedText>[];
  abstract readonly image: readonly Engine<ShownImage>[];
}

/** One engine's opinion of one piece of content. */
export interface Finding {
  content: 'text' | 'image' | 'video';
  /** The request's field, where the content came from one. */
  param: string | null;
  /** SHA-256 of the text, or of the file of the image or video, in hexadecimal. */
  contentSha256: string;
  engine: string;
  opinion: Opinion;
}

export interface Objection {
  content: Finding['content'];
  param: string | null;
  engine: string;
  reason: string;
}

/** The first objection, in the order of the content. */
export function findObjection(findings: readonly Finding[]): Objection | null {
  for (const { content, param, engine, opinion } of findings) {
    if (opinion.objection !== null) return { content, param, engine, reason: opinion.objection };
  }
  return null;
}

/** One finding for each engine: the worst frame decides for a video. */
export function worstOfEach(findings: readonly Finding[]): Finding[] {
  const byEngine = new Map<string, Finding>();
  for (const finding of findings) {
    const known = byEngine.get(finding.engine);
    byEngine.set(finding.engine, known ? { ...known, opinion: worseOpinion(known.opinion, finding.opinion) } : finding);
  }
  return [...byEngine.values()];
}

export function worseOpinion(one: Opinion, other: Opinion): Opinion {
  const objecting = [one, other].filter(({ objection }) => objection !== null);
  return {
    objection: objecting[0]?.objection ?? null,
    // Only an objection by threshold alone would disappear under another threshold.
    isByThreshold: objecting.length > 0 && objecting.every(({ isByThreshold }) => isByThreshold === true),
    scores: highest(one.scores, other.scores),
  };
}

function highest(one: Scores, other: Scores): Scores {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]));
}
