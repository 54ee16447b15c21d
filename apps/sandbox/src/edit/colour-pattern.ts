import { COLOUR_WORDS } from '../scene/colour-words';

/** Matches a colour's name, longest names first, two-word names with or without their space. */
export const COLOUR_PATTERN = [...COLOUR_WORDS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) =>
    name.replace(/^(light|dark|deep|hot|medium|pale|royal|sky|sea|forest|midnight|navy)(?=[a-z]{3})/, '$1 ?'),
  )
  .join('|');

/** The hex colour of a matched name, or undefined. */
export function hexOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : COLOUR_WORDS.get(name.replaceAll(' ', ''));
}
