const MAX_OUTPUTS = 64;
const MAX_DEPTH = 4;

/** The files in a model's free-form output, in order: URLs and data URIs, alone, in lists or in objects. */
export function collectOutputTexts(output: unknown, depth = 0): string[] {
  if (typeof output === 'string') return /^(https?:\/\/|data:)/i.test(output) ? [output] : [];
  if (typeof output !== 'object' || output === null || depth > MAX_DEPTH) return [];
  return Object.values(output)
    .flatMap((part) => collectOutputTexts(part, depth + 1))
    .slice(0, MAX_OUTPUTS);
}
