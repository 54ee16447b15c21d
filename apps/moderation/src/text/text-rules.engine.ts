import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Engine, Opinion, Scores } from '../judging/engine';
import { versionOf } from '../judging/sha256';
import type { Lexicon } from './lexicon';
import { PromptScreening } from './prompt-screening';

/** A negative prompt names what the image must not show, and the service itself adds such words to it. */
const NEGATIVE_PROMPT = 'negative_prompt';

/**
 * The mention of a minor lowers the threshold for the images of the job. The decision keeps that there was one, and not the
 * words.
 */
const YOUNG_CONTEXT: Scores = { young_context: 1 };

/** Whether a finding says that a text mentions a minor. */
export function hasYoungContext({ engine, scores }: { engine: string; scores: Scores }): boolean {
  return engine === 'rules' && scores['young_context'] === 1;
}

/** Blocks a text that contains a blocked term, or combines a minor and something sexual. */
export class TextRulesEngine implements Engine<ScreenedText> {
  readonly name = 'rules';
  readonly version: string;
  private readonly screening: PromptScreening;

  constructor(lexicon: Lexicon) {
    this.screening = new PromptScreening(lexicon);
    this.version = versionOf(lexicon.terms);
  }

  judge(text: ScreenedText): Opinion {
    const { blockedReason, sexualizesMinor, mentionsMinor } = this.screening.screen(text.text);
    const sexualized = sexualizesMinor && text.param !== NEGATIVE_PROMPT ? 'minor_sexualized' : null;
    return { objection: blockedReason ?? sexualized, scores: mentionsMinor ? YOUNG_CONTEXT : {} };
  }
}
