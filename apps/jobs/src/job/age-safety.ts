/** Interface: "Age-safety terms are always appended server-side to negative_prompt." They never show in the echo. */
const AGE_SAFETY_TERMS = 'child, minor, teenager, underage, childlike, youthful body';

/** The negative prompt that leaves for a provider: the client's, byte-equal, and behind it our own terms. */
export function withAgeSafetyTerms(negativePrompt: string | undefined): string {
  return negativePrompt ? `${negativePrompt}, ${AGE_SAFETY_TERMS}` : AGE_SAFETY_TERMS;
}
