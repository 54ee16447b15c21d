import { type Random, pick, seededRandom } from './random.fixtures';

/**
 * Prompts whose only unusual part is a number, as programs and people write them, without a hidden word.
 * `{60}` is a number below 60, `{01-12}` one of two figures up to 12, `{###}` three figures, `{x8}` eight figures of
 * hexadecimal, `{a8}` eight letters and figures.
 */
const TEMPLATES = [
  '[[delay:{60}s]] a calm sea at dawn, number {100000} {100000}.{############}',
  'a calm sea at dawn, number {100000} {100000}.{####}',
  'a row of boats, {1000000} {1000000} {1000000}',
  'soft light, weights 0.{##} 0.{####}, 1.{###}; 0.{################}',
  'a station clock at {00-23}:{00-59}:{00-59}.{###} on 20{##}-{01-12}-{01-28}',
  'a harbour, 20{##}-{01-12}-{01-28}T{00-23}:{00-59}:{00-59}.{###}Z',
  'a logbook, 20{##}-{01-12}-{01-28} {00-23}:{00-59}:{00-59}, {1000} boats',
  'a timetable, {00-23}:{00-59}, {00-23}:{00-59}, {00-23}:{00-59}, {00-23}:{00-59}',
  'open from {01-28}/{01-12}/{##} to {01-28}.{01-12}.{##}',
  'a menu, ${100}.{##}, €{1000},{##} and £{20}.99, {100}% off',
  'a wooden box, {4000}x{4000}x{100} mm, {100} x {100} cm',
  'a door of {10}\'{12}" by {10}\'{12}", oak',
  'a sign that says call +{100} {###} {###}-{####}',
  'a van with ({###}) {###}-{####} ext. {###} on its side',
  'a card with Tel {##} {##} {##} {##} {##} and {####} {####} {####} {####}',
  'a book with ISBN 978-{10}-{###}-{#####}-{10}',
  'a map at {90}.{######}, -{180}.{######}',
  'a coast, {90}°{60}\'{60}.{10}"N {180}°{60}\'{60}.{10}"E, seen from above',
  'sunrise, {200}mm f/{22}.{10} 1/{8000}s ISO {128}00',
  'a boat --seed {4294967296} --ar {30}:{30} --v {10} --s {1000}',
  'a boat, seed: {4294967296}, cfg: {20}.{10}, steps: {150}, size {2048}x{2048}, n={10000}',
  'a server room, {256}.{256}.{256}.{256}:{65536}, v{30}.{30}.{30}.{30}',
  'a lottery ticket, {50}, {50}, {50}, {50}, {50}, {50}, {50}',
  'a scoreboard with {27} {27} {27} {27} {27} {27} {27} {27}',
  'a wall in rgb({256}, {256}, {256}) and #{x6}, #{x6}',
  'a whiteboard with [{20}, -{20}, {20}; -{20}, {20}, {20}]',
  '<lora:detail_v{10}:{2}.{##}>, (soft light:1.{10}), [sea:sky:0.{##}]',
  'IMG_20{##}{01-12}{01-28}_{00-23}{00-59}{00-59}.jpg, DSC{#####}',
  'pi in neon tubes, 3.{################################}',
  'a terminal, t=1{############} mode 0{###} 0x{x8}',
  'a terminal, build {x16}, commit {x40}',
  'a terminal, sha256:{x64}',
  'a parcel, id {x8}-{x4}-4{x3}-a{x3}-{x12}',
  'a screenshot, video {a11}, token {a22}',
];
/** Each is one half of a blocked pair: a number that is misread as the other half would be blocked. */
const SCENES = ['children in a classroom, ', 'a classical nude, charcoal, '];

const SLOT = /\{(?:(?<below>\d+)|(?<from>\d\d)-(?<to>\d\d)|(?<figures>#+)|x(?<hex>\d+)|a(?<any>\d+))\}/g;
const FIGURES = '0123456789';
const HEX = `${FIGURES}abcdef`;
const ANY = `${FIGURES}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`;

interface Slot {
  below?: string;
  from?: string;
  to?: string;
  figures?: string;
  hex?: string;
  any?: string;
}

/** The numeric prompts alone, and as many with a word that a misread number would complete to a blocked pair. */
export function numericPrompts(count: number, seed: number): { alone: string[]; inScenes: string[] } {
  const random = seededRandom(seed);
  const make = (): string =>
    pick(TEMPLATES, random).replace(SLOT, (...match) => numberFor(match.at(-1) as Slot, random));
  return {
    alone: Array.from({ length: count }, make),
    inScenes: Array.from({ length: count }, () => pick(SCENES, random) + make()),
  };
}

function numberFor({ below, from, to, figures, hex, any }: Slot, random: Random): string {
  const anyOf = (characters: string, length: number): string =>
    Array.from({ length }, () => pick([...characters], random)).join('');
  if (below !== undefined) return String(Math.floor(random() * Number(below)));
  if (figures !== undefined) return anyOf(FIGURES, figures.length);
  if (hex !== undefined) return anyOf(HEX, Number(hex));
  if (any !== undefined) return anyOf(ANY, Number(any));
  const first = Number(from);
  return String(first + Math.floor(random() * (Number(to) + 1 - first))).padStart(2, '0');
}
