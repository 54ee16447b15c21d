/** Blocks a text in which every group of terms is met at least once. */
export interface TextRule {
  /** What the decision records; never the text. */
  reason: string;
  groups: readonly (readonly string[])[];
  /** Fields that the rule leaves alone. */
  exceptIn?: readonly string[];
}

/** The harmless text that every set of engines must block, so that no test needs real abuse. */
export const TEST_TEXT = 'KINORA-MODERATION-TEST-BLOCK';

const AGE_TERMS = ['child', 'children', 'minor', 'minors', 'underage', 'toddler', 'infant', 'preteen'];
const SEXUAL_TERMS = ['nude', 'nudity', 'naked', 'sexual', 'sexualized', 'erotic', 'erotica', 'pornographic'];

export const LEXICON: readonly TextRule[] = [
  { reason: 'test_text', groups: [[TEST_TEXT]] },
  { reason: 'test_word', groups: [['zorblequark', 'mivvy flonk']] },
  {
    reason: 'minor_sexualized',
    groups: [AGE_TERMS, SEXUAL_TERMS],
    // A negative prompt names what must not be shown; the service itself adds such words to it.
    exceptIn: ['negative_prompt'],
  },
];
