/** Appended to every negative prompt. The API does not return them with the job (decisions: Moderation). */
const AGE_SAFETY_TERMS = 'child, minor, teenager, underage, childlike, youthful body';

/** The negative prompt for a provider: the client's, unchanged, followed by the age-safety terms. */
export function withAgeSafetyTerms(negativePrompt: string | undefined): string {
  return negativePrompt ? `${negativePrompt}, ${AGE_SAFETY_TERMS}` : AGE_SAFETY_TERMS;
}

/** The result of `withAgeSafetyTerms` with the age-safety terms first, for a backend that may truncate the end. */
export function ageSafetyTermsFirst(negativePrompt: string): string {
  if (!negativePrompt.endsWith(AGE_SAFETY_TERMS)) return `${AGE_SAFETY_TERMS}, ${negativePrompt}`;
  const ofClient = negativePrompt.slice(0, -AGE_SAFETY_TERMS.length).replace(/, $/, '');
  return ofClient === '' ? AGE_SAFETY_TERMS : `${AGE_SAFETY_TERMS}, ${ofClient}`;
}
