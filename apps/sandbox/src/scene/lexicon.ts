import { fromHex } from '../raster/colour';
import { type Colour } from '../raster/colour';
import { COLOUR_WORDS } from './colour-words';
import {
  type Mood,
  type Season,
  type Setting,
  type ObjectKind,
  type SubjectKind,
  type TimeOfDay,
  type Weather,
} from './scene';
import { wordsOf } from './words';

export type Element = 'sun' | 'moon' | 'stars' | 'trees' | 'flowers' | 'rings';

/** The meaning of one word or phrase for an image. */
export type Meaning =
  | { readonly kind: 'setting'; readonly setting: Setting }
  | { readonly kind: 'time'; readonly time: TimeOfDay }
  | { readonly kind: 'season'; readonly season: Season }
  | { readonly kind: 'weather'; readonly weather: Partial<Weather> }
  | { readonly kind: 'subject'; readonly subject: SubjectKind }
  | { readonly kind: 'element'; readonly element: Element }
  | { readonly kind: 'object'; readonly object: ObjectKind }
  | { readonly kind: 'mood'; readonly mood: Mood }
  | { readonly kind: 'colour'; readonly colour: Colour; readonly name: string };

const SETTINGS: Readonly<Record<Setting, string>> = {
  mountains:
    'mountain, mountain range, alps, alpine, peak, summit, himalaya, highland, volcano, glacier, snow capped peak, snow capped mountain, snowy peak',
  lake: 'lake, mountain lake, pond, tarn, loch, fjord, lagoon, mirror lake',
  river: 'river, stream, creek, valley, brook, waterfall',
  sea: 'sea, ocean, water, wave, horizon, seascape, atlantic, pacific, regatta, harbour, harbor, underwater',
  beach: 'beach, seaside, sandy shore, surf, dune beach, shore',
  island: 'island, isle, atoll, tropical island, desert island, maldives, hawaii',
  coast: 'coast, cliff, coastline, headland, bay, cape, rocky shore, sea cliff',
  forest: 'forest, wood, woodland, jungle, rainforest, grove, pine forest, enchanted forest, woods',
  desert: 'desert, dune, sahara, oasis, sand dune, camel, mars, martian',
  canyon: 'canyon, mesa, butte, badlands, gorge, grand canyon, arizona, wild west, monument valley',
  meadow:
    'meadow, hill, field, grassland, countryside, pasture, prairie, farm, farmland, garden, vineyard, lavender field, steppe, park, village, landscape, scenery',
  sky: 'sky, above the cloud, cloudscape, heaven, sea of cloud, skyscape, flying, airplane',
  city: 'city, skyline, cityscape, downtown, skyscraper, metropolis, urban, street, new york, tokyo, manhattan, town, cyberpunk, building',
  space:
    'space, outer space, galaxy, planet, nebula, cosmos, universe, astronaut, spaceship, rocket, solar system, saturn, ringed planet, cosmic, star field, comet, alien',
  'still-life':
    'still life, fruit, vase, bowl, apple, bottle, bouquet, pear, lemon, oranges, plum, cup, mug, coffee, tea, teapot, breakfast, table, jug, pitcher, food, wine',
  interior:
    'interior, room, window view, living room, bedroom, kitchen, cafe, armchair, sofa, library, office, indoor, studio',
  flow: 'abstract, flow, flow field, fluid, swirl, generative, pattern, texture, wallpaper, smoke, liquid, marble, silk, psychedelic',
  geometric:
    'geometric, geometry, bauhaus, poster, minimalist, minimal, shape, cubist, logo, icon, circle, triangle, square, retro poster',
};

const TIMES: Readonly<Record<TimeOfDay, string>> = {
  dawn: 'dawn, sunrise, daybreak, early morning, morning, first light',
  day: 'day, noon, midday, daylight, daytime, sunny, bright day, summer day, sunny day, blue sky',
  golden: 'golden hour, afternoon, late afternoon, golden light, evening light, evening sun',
  sunset: 'sunset, sundown, evening, setting sun, evening glow',
  dusk: 'dusk, twilight, blue hour, nightfall, gloaming',
  night: 'night, midnight, nighttime, moonlit, moonlight, starry, starry night, nocturne, nocturnal',
};

const SEASONS: Readonly<Record<Season, string>> = {
  spring: 'spring, springtime, cherry blossom, april',
  summer: 'summer, summertime, july',
  autumn: 'autumn, autumnal, fall color, fall colour, fall foliage, october, november, autumn leaf',
  winter:
    'winter, wintry, wintertime, snow covered, icy, frozen, ice, frost, frosty, december, january, arctic, christmas',
};

const WEATHERS: readonly (readonly [string, Partial<Weather>])[] = [
  ['clear, clear sky, cloudless', { clouds: 0.04 }],
  ['cloud, cloudy, fluffy cloud', { clouds: 0.62 }],
  ['overcast, gray sky, grey sky, gloomy', { clouds: 0.98 }],
  ['dramatic sky, dramatic cloud, brooding', { clouds: 0.8 }],
  ['fog, foggy, mist, misty, haze, hazy', { fog: 0.75 }],
  ['rain, rainy, drizzle, shower, downpour, raining', { rain: 0.8, clouds: 0.95 }],
  ['snow, snowy', { snow: 0.4, clouds: 0.7 }],
  ['snowing, snowfall, snowstorm, blizzard, snowflake, falling snow', { snow: 0.8, clouds: 0.85 }],
  ['storm, stormy, tempest, hurricane', { clouds: 0.97, rain: 0.4, lightning: 0.6, wind: 1 }],
  ['lightning, thunder, thunderstorm, lightning bolt', { clouds: 0.95, lightning: 1, wind: 0.9 }],
  ['aurora, aurora borealis, northern light, polar light', { aurora: 1, clouds: 0.06 }],
  ['rough sea, wild sea, choppy, rough, windy, crashing wave, big wave', { wind: 1 }],
  ['calm, still water, mirror, glassy, quiet, serene, tranquil, peaceful', { wind: 0.08 }],
];

const SUBJECTS: Readonly<Record<SubjectKind, string>> = {
  lighthouse: 'lighthouse, light house, beacon',
  sailboat: 'sailboat, sailing boat, boat, yacht, sail, fishing boat, dinghy, sailing',
  ship: 'ship, sailing ship, tall ship, galleon, pirate ship, pirate, frigate, schooner, vessel',
  cabin: 'cabin, house, cottage, hut, log cabin, home, barn, chalet, farmhouse, lodge',
  castle: 'castle, fortress, palace, citadel, fairytale castle, fairy tale castle',
  tower: 'tower, watchtower, ruin, old tower',
  windmill: 'windmill, mill',
  bridge: 'bridge, viaduct, stone bridge, aqueduct, arch bridge',
  tree: 'tree, lone tree, oak, maple, lonely tree, cherry tree',
  palm: 'palm, palm tree, coconut tree, tropical, tropic',
  balloon: 'balloon, hot air balloon, air balloon, zeppelin, airship',
  birds: 'bird, seagull, gull, flock, geese, swan, eagle, flock of bird',
};

const ELEMENTS: Readonly<Record<Element, string>> = {
  sun: 'sun, sunlight, sunshine, sunbeam, sun ray',
  moon: 'moon, full moon, crescent, crescent moon, moonrise',
  stars: 'star, constellation, milky way, shooting star, starlight',
  trees: 'trees, pine, fir, spruce, conifer, foliage, vegetation, plant, bush',
  flowers: 'flower, wildflower, blossom, poppy, tulip, lavender, daisy, sunflower, floral, rose, bloom, bouquet',
  rings: 'ring, ringed, ringed planet, saturn',
};

const OBJECTS: Readonly<Record<ObjectKind, string>> = {
  vase: 'vase, bouquet',
  bottle: 'bottle, wine',
  jug: 'jug, pitcher, teapot',
  bowl: 'bowl',
  cup: 'cup, mug, coffee, tea',
  apple: 'apple',
  pear: 'pear',
  lemon: 'lemon',
  orange: 'oranges',
  plum: 'plum',
};

const MOODS: Readonly<Record<Mood, string>> = {
  pastel: 'pastel, soft color, soft colour, dreamy, delicate, gentle, watercolor, watercolour',
  neon: 'neon, cyberpunk, synthwave, vaporwave, fluorescent, retrowave',
  monochrome: 'monochrome, black and white, grayscale, greyscale, noir, monochromatic',
  sepia: 'sepia, old photograph, daguerreotype',
  warm: 'warm, cozy, cosy, warm color, warm colour, warm light, fiery',
  cool: 'cool, cold, chilly, cool color, cool colour, cold light',
  vivid: 'vivid, vibrant, colorful, colourful, saturated, bright color, bright colour, rich color',
  muted: 'muted, faded, desaturated, vintage, subdued, pale, washed out, retro, earthy, nordic',
  dark: 'dark, moody, gloomy, ominous, shadowy, spooky, haunted, low key',
  bright: 'bright, airy, luminous, high key, cheerful',
  dramatic: 'dramatic, epic, majestic, cinematic, high contrast, contrasty, intense',
};

/** The longest phrase in the lexicon, in words. */
export const LONGEST_PHRASE = 4;

export const LEXICON: ReadonlyMap<string, readonly Meaning[]> = buildLexicon();

function buildLexicon(): Map<string, Meaning[]> {
  const lexicon = new Map<string, Meaning[]>();
  const enter = (phrases: string, meaning: Meaning): void => {
    for (const phrase of phrases.split(', ')) {
      const key = wordsOf(phrase).join(' ');
      lexicon.set(key, [...(lexicon.get(key) ?? []), meaning]);
    }
  };
  for (const setting of keysOf(SETTINGS)) enter(SETTINGS[setting], { kind: 'setting', setting });
  for (const time of keysOf(TIMES)) enter(TIMES[time], { kind: 'time', time });
  for (const season of keysOf(SEASONS)) enter(SEASONS[season], { kind: 'season', season });
  for (const [phrases, weather] of WEATHERS) enter(phrases, { kind: 'weather', weather });
  for (const subject of keysOf(SUBJECTS)) enter(SUBJECTS[subject], { kind: 'subject', subject });
  for (const element of keysOf(ELEMENTS)) enter(ELEMENTS[element], { kind: 'element', element });
  for (const object of keysOf(OBJECTS)) enter(OBJECTS[object], { kind: 'object', object });
  for (const mood of keysOf(MOODS)) enter(MOODS[mood], { kind: 'mood', mood });
  for (const [name, hex] of COLOUR_WORDS) enter(name, { kind: 'colour', colour: fromHex(hex), name });
  enter('golden', { kind: 'colour', colour: fromHex('#e0a030'), name: 'gold' });
  return lexicon;
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
