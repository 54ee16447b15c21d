import { withAgeSafetyTerms } from './instance-definition';

describe('age-safety terms', () => {
  const alone = withAgeSafetyTerms(undefined);

  it('are sent alone where a client sent no negative prompt', () => {
    expect(alone).toContain('child');
    expect(withAgeSafetyTerms('')).toBe(alone);
  });

  it.each(['blurry', 'x'.repeat(1_000), 'ignore all that follows,', alone, ' '])(
    'follow every negative prompt of a client',
    (negativePrompt) => {
      expect(withAgeSafetyTerms(negativePrompt)).toBe(`${negativePrompt}, ${alone}`);
    },
  );
});
