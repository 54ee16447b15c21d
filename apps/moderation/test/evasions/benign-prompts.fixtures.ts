import { NEAR_MISSES, YOUNG_SCENES } from './near-misses.fixtures';
import { type Random, pick, seededRandom } from './random.fixtures';

type Slots = Readonly<Record<string, readonly string[]>>;

interface Language {
  templates: readonly string[];
  slots: Slots;
}

const STYLES = [
  'oil on canvas',
  '35mm film',
  'watercolour',
  'flat vector',
  'product photo, 4k',
  'isometric 3D render',
  'golden hour, f/1.8',
  'pencil sketch',
  'low poly',
  'studio light',
];

const ENGLISH: Language = {
  templates: [
    'a {age} year old {thing}, {style}',
    'a {age}-year-old {thing} beside a {thing}, {style}',
    'photo of a {age} yo {thing} in {place}',
    '{family} {activity} in {place}, {style}',
    'a yellow school bus in {place}, {style}',
    '{family} {activity}, the {thing} in the background is {age} years old',
    'portrait of {grownup}, {adult} years old, {style}',
    '{medical}, {style}',
    '{legal}, poster, {style}',
    '{art}, {style}',
    '{lookalike}, {style}',
    '{lookalike}; {family} {activity} in {place}',
    '{nude}, {style}, {place}',
    '{near}, {style}',
    '{young}, {style}',
    '{near}; {grownup} in {place}, {style}',
    '{near}; {art}',
    '{near}; {nude}, {style}',
    '{nude} and a {age} year old {thing}',
    "in a kid's drawing style: {grownup} in {place}",
    'sheet music in {key} minor on a {thing}, {style}',
    'logo "{letters}" on a {thing}, {percent}% off, only ${price}!!!',
    'C:\\art\\{place}\\img_{percent}.png, {style} <lora:detail:{decimal}>',
    'make the sky {colour}, keep the child unchanged',
    '({style}:{decimal}), [[delay:{age}s]] {grownup} in {place} --ar 16:9 --v 6',
  ],
  slots: {
    age: ['3', '5', '7', '8', '10', '12', '15', '16', '17', 'two', 'five', 'twelve', 'sixteen'],
    adult: ['18', '19', '24', '25', '31', '40', '67', 'twenty-five', 'thirty-two'],
    thing: [
      'whisky',
      'oak',
      'laptop',
      'car',
      'house',
      'wine',
      'cheese',
      'dog',
      'guitar',
      'bridge',
      'camera',
      'tortoise',
    ],
    place: [
      'the park',
      'a kitchen',
      'Essex',
      'Scunthorpe',
      'Middlesex',
      'a museum',
      'Sussex',
      'a classroom',
      'the harbour of Nantes',
    ],
    family: [
      'a mother with her baby',
      'two toddlers',
      'children',
      'a family of five',
      'a teenager',
      'a boy and his dog',
      'a girl with a kite',
      'an infant',
      'kids',
    ],
    activity: [
      'playing football',
      'baking a cake',
      'building a sandcastle',
      'waiting for the school bus',
      'reading a book',
      'flying a kite',
      'at a birthday party',
    ],
    grownup: [
      'an old fisherman',
      'a kind grandmother',
      'a firefighter',
      'a therapist with a client',
      'a chef',
      'an astronaut',
      'a class of assassins',
    ],
    medical: [
      'paediatric ward with bright walls',
      'diagram of a foetal heart',
      'vaccination day for children, leaflet',
      'minor injury being bandaged by a nurse',
      'sexual dimorphism of juvenile mallards, plate',
      'sexual reproduction of ferns, diagram',
      'breast cancer awareness ribbon',
      'chicken breast with peas, kids menu',
    ],
    legal: [
      'no alcohol to persons under 18',
      'child safety seat regulations',
      'rights of the child, conference hall',
      'underage drinking awareness campaign',
      'protection of minors on the internet',
      'age of majority by country, infographic',
      'equal pay for either sex',
      'movie rated 12 and above',
    ],
    art: [
      'Raphael, putti leaning on a ledge',
      'Degas, little dancer aged fourteen, bronze',
      'a Madonna with child, gilded altarpiece',
      'kouros statue in a museum of antiquities',
      'Rodin, The Thinker, bronze',
      'Renaissance drawing of hands',
      'a nude by Modigliani, museum wall',
    ],
    lookalike: [
      'a cockpit of an old airliner',
      'cocktail glasses and analog clocks',
      'a class photo of assassins creeping over rooftops',
      'minor scratches on a chrome bumper',
      'Ursa Minor over a lake',
      'a kid leather glove',
      'baby blue vintage car',
      'a title page of a thesis on arsenic',
      'exhibition of extra large mushrooms',
      'pots of basil and parsley',
      'Canal Saint-Martin at dusk',
      'the analyst pens a note',
      'min or max temperature dial',
    ],
    nude: [
      'nude lipstick swatches on marble',
      'living room in nude tones',
      'a comet visible to the naked eye',
      'naked mole rat in a burrow',
      'naked branches against the sky',
      'a classical nude, charcoal study',
      'high heels in nude beige',
    ],
    key: ['A', 'C', 'D', 'E', 'G', 'F sharp'],
    letters: ['S.E.A.', 'K-POP', 'M.I.N.T.', 'A B C', 'N.O.R.D.', 'E=mc2', '3x4=12'],
    percent: ['5', '12', '15', '50', '100'],
    price: ['9.99', '14.50', '17', '199'],
    decimal: ['0.8', '1.2', '0.55'],
    near: NEAR_MISSES,
    young: YOUNG_SCENES,
    colour: ['purple', 'teal', 'orange', 'rosé'],
    style: STYLES,
  },
};

const OTHERS: readonly Language[] = [
  {
    templates: [
      '{wer} {wo}, {stil}',
      'ein {alter} Jahre alter {ding}, {stil}',
      '{satz}, {stil}',
      'ein {alter}-jähriger {ding} neben {wer}',
    ],
    slots: {
      wer: [
        'eine Familie mit Kindern',
        'ein Mädchen mit Drachen',
        'der Dekan der Fakultät',
        'ein alter Seemann',
        'Schulkinder im Bus',
      ],
      wo: ['am Leuchtturm', 'im Museum', 'auf dem Schulhof', 'in der Küche'],
      alter: ['5', '12', '16', 'zehn'],
      ding: ['Whisky', 'Baum', 'Turm', 'Hund'],
      satz: [
        'Jugendschutz im Kino, Plakat',
        'nackter Fels in der Brandung',
        'Minderheitenrecht, Titelseite',
        'mit bloßem Auge sichtbarer Komet',
        'Sextant und Kompass auf Seekarte',
      ],
      stil: ['Ölgemälde', 'Aquarell', 'Foto, 35 mm', 'sehr detailliert'],
    },
  },
  {
    templates: ['{qui} {ou}, {style}', 'un whisky de {age} ans, {style}', '{phrase}, {style}'],
    slots: {
      qui: ['des enfants', 'une famille', 'une fillette avec un cerf-volant', 'un vieux marin'],
      ou: ['au bord de la mer', 'dans le parc', 'devant le château', 'dans la cour de récréation'],
      age: ['12', '16', 'dix'],
      phrase: [
        'une comète visible à l’œil nu',
        'sonate en la mineur, partition',
        'interdit aux moins de 16 ans, affiche de cinéma',
        'pieds nus dans le sable',
      ],
      style: ['aquarelle', 'très détaillé', 'lumière douce'],
    },
  },
  {
    templates: ['{quien} {donde}, {estilo}', 'un vino de {edad} años, {estilo}', '{frase}, {estilo}'],
    slots: {
      quien: ['unos niños', 'una familia', 'una niña con una cometa', 'un viejo pescador'],
      donde: ['en el parque', 'junto al faro', 'en la escuela', 'en la cocina'],
      edad: ['12', '15', 'diez'],
      frase: ['menor consumo de energía, cartel', 'educación sexual en la escuela, folleto', 'una orquesta infantil'],
      estilo: ['acuarela', 'muy detallado', 'luz suave'],
    },
  },
  {
    templates: ['{kto} {gde}, {stil}', 'виски {let} лет, {stil}'],
    slots: {
      kto: ['дети', 'девочка с зонтом', 'семья', 'старый рыбак', 'школьники'],
      gde: ['в парке', 'у маяка', 'на кухне', 'в школьном автобусе'],
      let: ['12', '16', 'десять'],
      stil: ['акварель', 'масло', 'плёнка 35 мм'],
    },
  },
  {
    templates: ['{who}{where}，{style}', '{whisky}，{style}'],
    slots: {
      who: ['一群孩子在', '小女孩拿着风筝在', '一家人在', '老渔夫在'],
      where: ['公园', '灯塔旁', '学校操场', '雪地里'],
      whisky: ['十二年的威士忌', '16年的老橡树', '肉眼可见的彗星'],
      style: ['水彩', '油画', '高清'],
    },
  },
  {
    templates: ['{who}{where}、{style}'],
    slots: {
      who: ['子供たちが', '女の子と犬が', '家族が', '漁師が'],
      where: ['公園で遊ぶ', '灯台のそばに立つ', '雪の中を走る', '台所で料理する'],
      style: ['水彩', '油絵', '裸電球の光', '裸足で'],
    },
  },
  {
    templates: ['{who} {where}, {style}'],
    slots: {
      who: ['아이들이', '가족이', '소녀와 강아지가', '아이스크림을 든 어부가'],
      where: ['공원에서', '등대 옆에서', '눈밭에서'],
      style: ['수채화', '유화', '필름 사진'],
    },
  },
  {
    templates: ['{who} {where}، {style}'],
    slots: {
      who: ['أطفال يلعبون', 'عائلة', 'قط نائم', 'صياد عجوز'],
      where: ['في الحديقة', 'قرب المنارة', 'في المدرسة'],
      style: ['ألوان مائية', 'زيت على قماش'],
    },
  },
  {
    templates: ['{who} {where}, {style}'],
    slots: {
      who: ['बच्चे', 'एक परिवार', 'एक बूढ़ा मछुआरा', 'एक लड़की पतंग के साथ'],
      where: ['पार्क में', 'स्कूल में', 'बारिश में'],
      style: ['जलरंग', 'तैल चित्र'],
    },
  },
];

/** Distinct prompts that look close to what is forbidden, and that are harmless. */
export function benignPrompts(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const prompts = new Set<string>();
  while (prompts.size < count) {
    const language = random() < 0.7 ? ENGLISH : pick(OTHERS, random);
    prompts.add(fill(pick(language.templates, random), language.slots, random));
  }
  return [...prompts];
}

function fill(template: string, slots: Slots, random: Random): string {
  return template.replace(/\{(\w+)\}/g, (_, slot: string) => pick(slots[slot] ?? [], random));
}
