import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Scores } from '../judging/engine';
import type { ContentKind } from './thresholds';

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
