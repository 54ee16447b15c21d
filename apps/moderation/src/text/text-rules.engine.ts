import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Engine } from '../gate/engine';
import { readingsOf } from './fold-text';
import type { TextRule } from './lexicon';
import { TermMatcher } from './term-matcher';

interface CompiledRule extends TextRule {
  matchers: TermMatcher[];
}

/** Blocks a text that breaks a rule of the lexicon. */
export class TextRulesEngine implements Engine<ScreenedText> {
  readonly name = 'rules';
  private readonly rules: CompiledRule[];

  constructor(rules: readonly TextRule[]) {
    this.rules = rules.map((rule) => ({ ...rule, matchers: rule.groups.map((terms) => new TermMatcher(terms)) }));
  }

  async findObjection({ param, text }: ScreenedText): Promise<string | null> {
    const readings = readingsOf(text);
    const broken = this.rules.find(
      ({ matchers, exceptIn }) =>
        exceptIn?.includes(param) !== true && matchers.every((matcher) => matcher.matches(readings)),
    );
    return broken?.reason ?? null;
  }
}
