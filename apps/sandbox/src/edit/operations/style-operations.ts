import { blueprint } from '../../styles/blueprint';
import { duotone } from '../../styles/duotone';
import { embroidery } from '../../styles/embroidery';
import { halftone } from '../../styles/halftone';
import { impasto } from '../../styles/impasto';
import { inkWash } from '../../styles/ink-wash';
import { risograph } from '../../styles/risograph';
import { stainedGlass } from '../../styles/stained-glass';
import { type Style } from '../../styles/style';
import { watercolour } from '../../styles/watercolour';
import { type EditOperation } from '../edit-operation';

/** The styles that generations apply as LoRAs, requested in words. */
export const STYLE_OPERATIONS: readonly EditOperation[] = [
  inStyle('watercolour', /\bwater ?colou?rs?\b/g, watercolour),
  inStyle('painting', /\b(?:oil paint(?:ing|ed)?|impasto|paint(?:ing|ed|erly)|impressionist)\b/g, impasto),
  inStyle('ink wash', /\b(?:ink(?: wash| painting)?|sumi-?e)\b/g, inkWash),
  inStyle('halftone', /\b(?:halftone|comic(?: book)?|newspaper|print(?:ed)? dots)\b/g, halftone),
  inStyle('duotone', /\b(?:duotone|two colou?rs)\b/g, duotone),
  inStyle('risograph', /\b(?:risograph(?:ed)?|riso print)\b/g, risograph),
  inStyle('stained glass', /\b(?:stained ?glass|leaded glass)\b/g, stainedGlass),
  inStyle('blueprint', /\b(?:blueprint|cyanotype|technical drawing)\b/g, blueprint),
  inStyle('embroidery', /\b(?:embroider(?:y|ed)|cross-?stitch(?:ed)?|needlework)\b/g, embroidery),
];

function inStyle(name: string, pattern: RegExp, style: Style): EditOperation {
  return { name, pattern, apply: async (image, _match, { random }) => style(image, random) };
}
