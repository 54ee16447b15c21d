import { type Colour, fromHex } from '../raster/colour';
import { COLOUR_WORDS } from './colour-words';
import {
  type Element,
  type Landmark,
  type Mood,
  type Season,
  type Setting,
  type TimeOfDay,
  type Weather,
} from './scene';

export interface Meanings {
  readonly setting: Setting;
  readonly time: TimeOfDay;
  readonly season: Season;
  readonly weather: Partial<Weather>;
  readonly element: Element;
  readonly landmark: Landmark;
  readonly mood: Mood;
  readonly colour: Colour;
}
/** The meaning of one word or phrase for an image. */
export type Meaning = {
  [Kind in keyof Meanings]: { readonly kind: Kind; readonly value: Meanings[Kind] };
}[keyof Meanings];

const SETTINGS: Readonly<Record<Setting, string>> = {
  flow: 'abstract, flow, flow field, fluid, swirl, generative, pattern, texture, wallpaper, smoke, liquid, marble, silk',
  city: 'city, skyline, cityscape, downtown, skyscraper, metropolis, urban, street, new york, tokyo, manhattan, town',
  space: 'space, outer space, galaxy, planet, nebula, cosmos, universe, spaceship, solar system, saturn, cosmic, comet',
  room: 'still life, vase, bowl, bottle, fruit, table, interior, room, living room, bedroom, kitchen, cafe, indoor, studio',
  desert: 'desert, dune, sahara, oasis, sand dune, mars, martian, canyon, mesa, badlands, grand canyon',
  coast: 'coast, cliff, coastline, headland, bay, cape, rocky shore, island, isle, beach, seaside, shore',
  lake: 'lake, mountain lake, pond, tarn, loch, fjord, lagoon, river, stream, valley',
  forest: 'forest, wood, woodland, jungle, rainforest, grove, pine forest',
  meadow:
    'meadow, hill, field, grassland, countryside, pasture, prairie, farm, garden, steppe, park, village, landscape',
  mountains: 'mountain, mountain range, alps, alpine, peak, summit, himalaya, highland, volcano, glacier, snowy peak',
  sea: 'sea, ocean, water, wave, horizon, seascape, atlantic, pacific, harbour, harbor',
  geometric: 'geometric, geometry, bauhaus, poster, minimalist, minimal, shape, cubist, logo, icon, circle, triangle',
};

const TIMES: Readonly<Record<TimeOfDay, string>> = {
  dawn: 'dawn, sunrise, daybreak, early morning, morning, first light',
  day: 'day, noon, midday, daylight, daytime, sunny, summer day, sunny day, blue sky',
  golden: 'golden hour, afternoon, late afternoon, golden light, evening light',
  sunset: 'sunset, sundown, evening, setting sun, evening glow',
  dusk: 'dusk, twilight, blue hour, nightfall',
  night: 'night, midnight, nighttime, moonlit, moonlight, starry, starry night, nocturnal',
};

const SEASONS: Readonly<Record<Season, string>> = {
  spring: 'spring, springtime, april',
  summer: 'summer, summertime, july',
  autumn: 'autumn, autumnal, fall foliage, october, november, autumn leaf',
  winter: 'winter, wintry, snow covered, icy, frozen, ice, frost, frosty, december, january, arctic, christmas',
};

const WEATHERS: readonly (readonly [string, Partial<Weather>])[] = [
  ['clear, clear sky, cloudless', { clouds: 0.04 }],
  ['cloud, cloudy, fluffy cloud', { clouds: 0.62 }],
  ['overcast, gray sky, grey sky, gloomy', { clouds: 0.98 }],
  ['fog, foggy, mist, misty, haze, hazy', { fog: 0.75 }],
  ['rain, rainy, drizzle, shower, downpour, raining', { rain: 0.8, clouds: 0.95 }],
  ['snow, snowy', { snow: 0.4, clouds: 0.6 }],
  ['snowing, snowfall, snowstorm, blizzard, snowflake, falling snow', { snow: 0.8, clouds: 0.85 }],
  ['storm, stormy, thunderstorm, tempest, hurricane', { clouds: 0.97, rain: 0.5, wind: 1 }],
  ['aurora, aurora borealis, northern light, polar light', { aurora: 1, clouds: 0.06 }],
  ['rough sea, choppy, rough, windy, crashing wave', { wind: 1 }],
  ['calm, still water, mirror, glassy, quiet, serene, tranquil, peaceful', { wind: 0.08 }],
];

const ELEMENTS: Readonly<Record<Element, string>> = {
  sun: 'sun, sunlight, sunshine, sunbeam',
  moon: 'moon, full moon, moonrise',
  stars: 'star, constellation, milky way, starlight',
  trees: 'tree, pine, fir, spruce, conifer, foliage, vegetation, plant, bush',
};

const LANDMARKS: Readonly<Record<Landmark, string>> = {
  lighthouse: 'lighthouse, light house, beacon',
  boat: 'boat, sailboat, sailing boat, yacht, fishing boat, sailing ship, ship, vessel',
  house: 'house, cabin, cottage, hut, log cabin, barn, chalet, farmhouse, lodge',
};

const MOODS: Readonly<Record<Mood, string>> = {
  pastel: 'pastel, soft color, soft colour, dreamy, delicate, gentle, watercolor, watercolour',
  neon: 'neon, cyberpunk, synthwave, vaporwave, fluorescent',
  monochrome: 'monochrome, black and white, grayscale, greyscale, noir',
  sepia: 'sepia, old photograph',
  warm: 'warm, cozy, cosy, warm light, fiery',
  cool: 'cool, cold, chilly, cold light',
  vivid: 'vivid, vibrant, colorful, colourful, saturated',
  muted: 'muted, faded, desaturated, vintage, subdued, pale, retro, earthy',
  dark: 'dark, moody, gloomy, ominous, shadowy, spooky, low key',
  bright: 'bright, airy, luminous, high key, cheerful',
  dramatic: 'dramatic, epic, majestic, cinematic, high contrast, intense',
};

/** The longest phrase in the lexicon, in words. */
export const LONGEST_PHRASE = 3;

export const LEXICON: ReadonlyMap<string, readonly Meaning[]> = buildLexicon();

function buildLexicon(): Map<string, Meaning[]> {
  const lexicon = new Map<string, Meaning[]>();
  const enter = (phrases: string, meaning: Meaning): void => {
    for (const phrase of phrases.split(', ').map((words) => wordsOf(words).join(' ')))
      lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), meaning]);
  };
  const tables = {
    setting: SETTINGS,
    time: TIMES,
    season: SEASONS,
    element: ELEMENTS,
    landmark: LANDMARKS,
    mood: MOODS,
  };
  for (const [kind, table] of Object.entries(tables))
    for (const [value, phrases] of Object.entries(table)) enter(phrases, { kind, value } as Meaning);
  for (const [phrases, value] of WEATHERS) enter(phrases, { kind: 'weather', value });
  for (const [name, hex] of COLOUR_WORDS) enter(name, { kind: 'colour', value: fromHex(hex) });
  enter('golden', { kind: 'colour', value: fromHex('#e0a030') });
  return lexicon;
}

/**
 * The words of a text, of any script, in lower case and singular, so that "Mountains" and "mountain" match the same
 * entry.
 */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+(?:'\p{L}+)?/gu) ?? [];
  return words.map((word) => {
    if (word.length < 4 || /(?:ss|us|is|'s)$/.test(word)) return word;
    if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
    if (word === 'leaves') return 'leaf';
    return word.replace(/(ch|sh|x)es$|s$/, '$1');
  });
}
