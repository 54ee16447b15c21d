import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { Scores } from '../judging/engine';
import type { ContentKind } from '../judging/engine-policy';

/** An image in the form that engines accept. */
export interface ShownImage {
  jpeg: Buffer;
  /** SHA-256 of the original file, in hexadecimal. */
  sha256: string;
}

export interface EngineQuestion {
  /** Appended to the URL of the engine. */
  path: string;
  body: unknown;
}

export interface EngineAnswer {
  scores: Scores;
  /** The reason of the engine's own verdict, where it returns one. */
  objection: string | null;
}

/** The request and answer format of one type of engine. Pure functions; an answer that cannot be parsed throws. */
export interface EngineProtocol {
  textRequest(text: ScreenedText): EngineQuestion;
  imageRequest(image: ShownImage): EngineQuestion;
  /**
   * @param question the request, for answers that repeat parts of it
   * @throws EngineFault for every answer that does not state a clear result.
   */
  read(answer: unknown, kind: ContentKind, question: EngineQuestion): EngineAnswer;
}

/** An engine has not judged the content. The message holds neither content, nor keys, nor the engine's answer. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';

  constructor(
    message: string,
    /** `content`: the engine may be unable to judge this content only, so requests for other content continue. */
    readonly about: 'engine' | 'content' = 'engine',
    /** The Retry-After of the engine, or null. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

export type JsonMap = Record<string, unknown>;

/** @throws EngineFault for a value that is not a map. */
export function asMap(value: unknown, what: string): JsonMap {
  if (isRecord(value)) return value;
  throw new EngineFault(`${what} is missing or not a map`);
}

/** @throws EngineFault for a value that is not a list. */
export function asList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new EngineFault(`${what} is missing or not a list`);
}

/** @throws EngineFault for everything except a number from 0 to 1, because NaN or null would compare as below every threshold. */
export function asShare(value: unknown, what: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new EngineFault(`${what} is not a number from 0 to 1`);
}
