/** Appended to every negative prompt, and absent from the echo (decisions: Moderation). */
const AGE_SAFETY_TERMS = 'child, minor, teenager, underage, childlike, youthful body';

/** The negative prompt that leaves for a provider: the client's, byte-equal, and behind it our own terms. */
export function withAgeSafetyTerms(negativePrompt: string | undefined): string {
  return negativePrompt ? `${negativePrompt}, ${AGE_SAFETY_TERMS}` : AGE_SAFETY_TERMS;
}

/** What `withAgeSafetyTerms` made, with our own terms in front: for a backend that may lose the end. */
export function ageSafetyTermsFirst(negativePrompt: string): string {
  if (!negativePrompt.endsWith(AGE_SAFETY_TERMS)) return `${AGE_SAFETY_TERMS}, ${negativePrompt}`;
  const ofClient = negativePrompt.slice(0, -AGE_SAFETY_TERMS.length).replace(/, $/, '');
  return ofClient === '' ? AGE_SAFETY_TERMS : `${AGE_SAFETY_TERMS}, ${ofClient}`;
}
