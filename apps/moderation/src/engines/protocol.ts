import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Scores } from '../judging/engine';
import type { ContentKind } from './thresholds';

/** An image as engines take it. */
export interface ShownImage {
  jpeg: Buffer;
  /** Of the file that it was made from, in hexadecimal. */
  sha256: string;
}

export interface EngineQuestion {
  /** Behind the URL of the engine. */
  path: string;
  body: unknown;
}

export interface EngineAnswer {
  scores: Scores;
  /** The engine's own verdict, where it gives one. */
  objection: string | null;
}

/** How one kind of engine is asked and understood. Pure: what cannot be understood is thrown. */
export interface EngineProtocol {
  textRequest(text: ScreenedText): EngineQuestion;
  imageRequest(image: ShownImage): EngineQuestion;
  /**
   * @param question what was asked, for answers that repeat some of it
   * @throws EngineFault for every answer that does not say clearly what was found.
   */
  read(answer: unknown, kind: ContentKind, question: EngineQuestion): EngineAnswer;
}
