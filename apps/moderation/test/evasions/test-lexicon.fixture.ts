import type { Lexicon } from '../../src/text/lexicon';

/** Made-up words in the roles of real ones, so that no test needs real ones. */
export const TEST_BLOCKED_TERMS = ['zorblequark', 'mivvy flonk', 'dwimbert', 'snorvex', 'thalgumid'];
export const TEST_MINOR_TERMS = ['gribblet', 'yundling', 'plimask'];
export const TEST_SEXUAL_TERMS = ['vorpine', 'zindlewick', 'quafelmo'];

export const TEST_LEXICON: Lexicon = {
  terms: [
    ...TEST_BLOCKED_TERMS.map((text) => ({ kind: 'blocked' as const, text, reason: 'test_word' })),
    ...TEST_MINOR_TERMS.map((text) => ({ kind: 'minor' as const, text })),
    ...TEST_SEXUAL_TERMS.map((text) => ({ kind: 'sexual' as const, text })),
  ],
  shortWords: [],
};
