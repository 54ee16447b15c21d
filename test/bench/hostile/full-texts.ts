/** Jobs that are never drawn: drawing would use all of the processor, and drawing is not measured here. */
export const DELAY = '[[delay:3000s]]';

/** The longest texts in bytes: three bytes a character. */
export const FULLEST_TEXTS = {
  prompt: DELAY.padEnd(2_000, '漢'),
  negative_prompt: '漢'.repeat(1_000),
  metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`key-${index}`, '漢'.repeat(256)])),
};

export function deepJson(): string {
  return '['.repeat(60_000) + ']'.repeat(60_000);
}
