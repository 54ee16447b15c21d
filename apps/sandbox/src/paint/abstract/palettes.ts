import { type Colour, fromHex, fromLab, toLab } from '../../raster/colour';
import { pick, type Random } from '../../raster/random';
import { type Scene } from '../../scene/scene';

/** From ground to accent. */
const PALETTES: readonly [readonly string[], ...(readonly string[])[]] = [
  ['#f3ead9', '#1f2a44', '#d9523f', '#e9a13b', '#3f7d77'],
  ['#0f1b2e', '#f2c14e', '#f78154', '#4d9078', '#b4436c'],
  ['#f7f1e5', '#2b4162', '#fa9f42', '#721817', '#0b6e4f'],
  ['#fbf3e4', '#264653', '#2a9d8f', '#e9c46a', '#e76f51'],
  ['#efe6dd', '#3d2b3d', '#a64942', '#dd9b5d', '#7a9e9f'],
  ['#101820', '#2d4a7a', '#7fb2d9', '#f4d8c4', '#e07a5f'],
];
const NEON = ['#0a0618', '#2b0a5c', '#ff2e97', '#18e0ff', '#ffe14d'];
const PASTEL = ['#fdf6f0', '#cdb4db', '#ffc8dd', '#a2d2ff', '#cdeac0'];
const DARK = ['#0c0d12', '#23283a', '#5a4a6a', '#8a6a5a', '#c9a36a'];

/** The colours of an abstract image: the prompt's own, or a matching palette. */
export function paletteOf(scene: Scene, random: Random): readonly Colour[] {
  if (scene.colours.length > 0) return grown(scene.colours);
  if (scene.moods.includes('neon')) return NEON.map(fromHex);
  if (scene.moods.includes('pastel')) return PASTEL.map(fromHex);
  if (scene.moods.includes('dark')) return DARK.map(fromHex);
  return pick(random, PALETTES).map(fromHex);
}

/** Few named colours get darker and lighter variants, so that even one of them suffices for an image. */
function grown(colours: readonly Colour[]): readonly Colour[] {
  const labs = colours.map(toLab);
  const [first] = labs;
  if (!first) return colours;
  const companions = [
    fromLab([0.95, first[1] * 0.12, first[2] * 0.12]),
    fromLab([0.24, first[1] * 0.5, first[2] * 0.5]),
    ...labs.map(([lightness, a, b]) => fromLab([Math.min(0.92, lightness + 0.2), a * 0.7, b * 0.7])),
    ...labs.map(([lightness, a, b]) => fromLab([Math.max(0.2, lightness - 0.2), a * 0.9, b * 0.9])),
  ];
  const [light, dark, ...shades] = companions;
  return [light!, dark!, ...colours, ...shades].slice(0, Math.max(5, colours.length + 2));
}
