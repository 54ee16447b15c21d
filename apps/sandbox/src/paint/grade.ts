import { type Colour, fromHex, type Lab, toLab } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { type Mood, type Scene, type Setting } from '../scene/scene';

/** Changes a colour as a whole, lightness and tint. */
export type Grade = (colour: Lab) => Lab;

const NEON: readonly Colour[] = ['#1a0b4a', '#c0209a', '#20c8ff'].map(fromHex);
const SEPIA: readonly Colour[] = ['#2a1608', '#a07a4c', '#f4e6c8'].map(fromHex);

/**
 * How far each mood raises or lowers lightness, changes contrast, scales colour, and shifts it (green to red, blue to
 * yellow).
 */
const MOODS: Readonly<
  Record<
    Mood,
    {
      readonly lift: number;
      readonly contrast: number;
      readonly chroma: number;
      readonly red: number;
      readonly yellow: number;
    }
  >
> = {
  pastel: { lift: 0.15, contrast: 0.72, chroma: 0.72, red: 0.004, yellow: 0 },
  neon: { lift: -0.05, contrast: 1.15, chroma: 1.35, red: 0.01, yellow: -0.02 },
  monochrome: { lift: 0, contrast: 1.12, chroma: 0, red: 0, yellow: 0 },
  sepia: { lift: 0.02, contrast: 0.95, chroma: 0.05, red: 0, yellow: 0 },
  warm: { lift: 0.015, contrast: 1, chroma: 1.05, red: 0.016, yellow: 0.04 },
  cool: { lift: 0, contrast: 1, chroma: 0.95, red: -0.014, yellow: -0.04 },
  vivid: { lift: 0, contrast: 1.08, chroma: 1.4, red: 0, yellow: 0 },
  muted: { lift: 0.05, contrast: 0.82, chroma: 0.52, red: 0.003, yellow: 0.01 },
  dark: { lift: -0.14, contrast: 1.05, chroma: 0.85, red: 0, yellow: -0.006 },
  bright: { lift: 0.08, contrast: 0.95, chroma: 1.05, red: 0, yellow: 0.005 },
  dramatic: { lift: -0.03, contrast: 1.24, chroma: 1.05, red: 0, yellow: 0 },
};

/** The settings that are painted in the prompt's own colours already, by which moods have chosen the palette. */
const SELF_COLOURED: ReadonlySet<Setting> = new Set(['flow', 'geometric']);
const PALETTE_MOODS: ReadonlySet<Mood> = new Set(['pastel', 'neon', 'dark']);

export function gradeOf(scene: Scene): Grade | undefined {
  const steps: Grade[] = [];
  const tints = tintsOf(scene);
  if (tints.length > 0) steps.push(tintTowards(tints, scene.gradeStrength));
  const isChosen = (mood: Mood): boolean => SELF_COLOURED.has(scene.setting) && PALETTE_MOODS.has(mood);
  const moods = scene.moods.filter((mood) => !isChosen(mood));
  for (const mood of moods) steps.push(moodGrade(mood, 0.6 + 0.7 * scene.gradeStrength));
  return steps.length > 0 ? (colour) => steps.reduce((current, step) => step(current), colour) : undefined;
}

function tintsOf(scene: Scene): readonly Colour[] {
  if (SELF_COLOURED.has(scene.setting)) return [];
  const tinted = scene.colours.filter((colour) => Math.hypot(...toLab(colour).slice(1)) > 0.03);
  if (tinted.length > 0) return tinted;
  if (scene.moods.includes('sepia')) return SEPIA;
  return scene.moods.includes('neon') ? NEON : [];
}

/**
 * Keeps every pixel's lightness and shifts its colour to the named ones: the darkest to the shadows, the lightest to
 * the highlights.
 */
export function tintTowards(colours: readonly Colour[], strength: number): Grade {
  const labs = colours.map(toLab).sort((a, b) => a[0] - b[0]);
  return ([lightness, a, b]) => {
    const place = smoothstep(0.15, 0.9, lightness) * (labs.length - 1);
    const lower = labs[Math.floor(place)]!;
    const upper = labs[Math.min(labs.length - 1, Math.floor(place) + 1)]!;
    const between = place - Math.floor(place);
    // Black and white leave no range for colour.
    const room = smoothstep(0, 0.3, lightness) * smoothstep(1.05, 0.75, lightness);
    const tint = [
      mix(lower[1], upper[1], between) * room * 0.8,
      mix(lower[2], upper[2], between) * room * 0.8,
    ] as const;
    return [lightness, mix(a, tint[0], strength), mix(b, tint[1], strength)];
  };
}

export function moodGrade(mood: Mood, strength: number): Grade {
  const { lift, contrast, chroma, red, yellow } = MOODS[mood];
  const scale = mix(1, chroma, mood === 'monochrome' || mood === 'sepia' ? 1 : Math.min(strength, 1));
  return ([lightness, a, b]) => {
    const bent = 0.5 + (lightness - 0.5) * mix(1, contrast, strength);
    // Shadows stay dark and neutral; a mood changes only what is visible.
    const seen = smoothstep(0, 0.55, lightness) * strength;
    const tinted = smoothstep(0.2, 0.95, lightness) * strength;
    return [clamp(bent + lift * seen, 0, 1), a * scale + red * tinted, b * scale + yellow * tinted];
  };
}
