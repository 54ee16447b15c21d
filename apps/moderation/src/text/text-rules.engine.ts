import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Engine, Opinion } from '../judging/engine';
import { versionOf } from '../judging/sha256';
import type { Lexicon } from './lexicon';
import { PromptScreening } from './prompt-screening';

/** A negative prompt names what the image must not show, and the service itself adds such words to it. */
const NEGATIVE_PROMPT = 'negative_prompt';

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
    return { objection: this.findObjection(text), scores: {} };
  }

  findObjection({ param, text }: ScreenedText): string | null {
    const { blockedReason, sexualizesMinor } = this.screening.screen(text);
    if (blockedReason !== null) return blockedReason;
    return sexualizesMinor && param !== NEGATIVE_PROMPT ? 'minor_sexualized' : null;
  }
}
