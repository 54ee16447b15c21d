import { clamp } from '../raster/curve';
import { hashText } from '../raster/random';
import { createLuck } from './luck';
import { hasElement, ofKind, readPrompt } from './prompt-reading';
import { type Scene } from './scene';
import { settingOf, viewOf } from './setting-of-prompt';
import { coloursOf, flowerColourOf, objectsOf, subjectsOf } from './things-of-prompt';
import { seasonOf, timeOf, weatherOf } from './weather-of-prompt';
import { wordsOf } from './words';

export interface PromptRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly steps?: number | undefined;
  readonly guidance?: number | undefined;
}

/** Interprets a prompt. Pure: the same words and seed always give the same scene. */
export function sceneFromPrompt({ prompt, negativePrompt, seed: chosen, steps, guidance }: PromptRequest): Scene {
  const seed = hashText(`${chosen} ${wordsOf(prompt).join(' ')}`);
  const luck = createLuck(seed);
  const reading = readPrompt(prompt, negativePrompt);
  const { meanings, unwanted } = reading;
  const subjects = subjectsOf(reading);
  const setting = settingOf(reading, subjects, luck);
  const time = timeOf(reading, luck);
  const weather = weatherOf(reading, time, luck);
  const usuallyMoon = time === 'night' && weather.aurora === 0 && luck('moon')() < 0.6;
  const usuallyStars = setting === 'space' || time === 'night' || time === 'dusk';
  const usuallyFlowers = setting === 'meadow' && luck('flowers')() < 0.4;
  return {
    setting,
    time,
    season: seasonOf(reading, weather),
    weather,
    sun: !hasElement(unwanted, 'sun'),
    moon: !hasElement(unwanted, 'moon') && (hasElement(meanings, 'moon') || usuallyMoon),
    stars: !hasElement(unwanted, 'stars') && (hasElement(meanings, 'stars') || usuallyStars),
    trees: !hasElement(unwanted, 'trees'),
    flowers: !hasElement(unwanted, 'flowers') && (hasElement(meanings, 'flowers') || usuallyFlowers),
    rings: hasElement(meanings, 'rings') || luck('rings')() < 0.35,
    subjects,
    objects: objectsOf(reading),
    view: viewOf(reading, luck),
    ...flowerColourOf(reading),
    colours: coloursOf(reading, setting),
    moods: [...new Set(ofKind(meanings, 'mood').map(({ mood }) => mood))],
    gradeStrength: strengthOf(guidance),
    detail: detailOf(steps),
    seed,
  };
}

function strengthOf(guidance: number | undefined): number {
  return guidance === undefined ? 0.55 : clamp(0.2 + guidance * 0.045, 0.2, 0.95);
}

function detailOf(steps: number | undefined): number {
  if (steps === undefined) return 0;
  if (steps <= 3) return -2;
  if (steps <= 10) return -1;
  return steps > 34 ? 1 : 0;
}
