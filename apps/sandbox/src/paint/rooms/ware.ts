import { type Colour, fromHex } from '../../raster/colour';
import { between, pick, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { type ObjectKind } from '../../scene/scene';
import { type FruitKind } from './fruit';
import { castShadow, type StudioLight } from './studio-light';
import { type Turned } from './turned';

/** Pottery and glass. */
export type WareKind = Exclude<ObjectKind, FruitKind>;

interface WareForm extends Pick<Turned, 'profile' | 'gloss' | 'open'> {
  /** Its height, as a share of the image's `unit`. */
  readonly tall: number;
  readonly glazes: readonly [string, ...string[]];
}

const WARES: Readonly<Record<WareKind, WareForm>> = {
  vase: {
    tall: 0.34,
    profile: [0.2, 0.27, 0.33, 0.33, 0.27, 0.17, 0.13, 0.17],
    gloss: 0.35,
    open: true,
    glazes: ['#6f93a8', '#d8cbb5', '#a85c48', '#4d6a5e', '#e4ddd0'],
  },
  bottle: {
    tall: 0.44,
    profile: [0.14, 0.15, 0.15, 0.15, 0.14, 0.07, 0.045, 0.045, 0.05],
    gloss: 0.9,
    open: false,
    glazes: ['#2f4a38', '#4a2f24', '#34506a'],
  },
  jug: {
    tall: 0.3,
    profile: [0.22, 0.3, 0.33, 0.3, 0.22, 0.18, 0.2, 0.23],
    gloss: 0.4,
    open: true,
    glazes: ['#c9b48e', '#7a95a0', '#9a5a3c'],
  },
  bowl: {
    tall: 0.11,
    profile: [0.42, 0.62, 0.95, 1.15, 1.25, 1.28],
    gloss: 0.4,
    open: true,
    glazes: ['#d9d2c4', '#5f7f95', '#b0714a'],
  },
  cup: {
    tall: 0.1,
    profile: [0.3, 0.4, 0.46, 0.49, 0.5],
    gloss: 0.5,
    open: true,
    glazes: ['#ece6da', '#86a5a8', '#c98f6a'],
  },
};

export function isWare(kind: ObjectKind): kind is WareKind {
  return kind in WARES;
}

/** An object that is painted later, so that its content can be painted behind it. */
export function createWare(
  kind: WareKind,
  place: { x: number; y: number; unit: number },
  named: Colour | undefined,
  random: Random,
): Turned {
  const { tall, glazes, ...form } = WARES[kind];
  const albedo = named ?? fromHex(pick(random, glazes));
  return { x: place.x, baseY: place.y, height: place.unit * tall * between(random, 0.9, 1.05), albedo, ...form };
}

export function castWareShadow(raster: Raster, light: StudioLight, { x, baseY, height, profile }: Turned): void {
  castShadow(raster, light, x, baseY, height * Math.max(...profile) * 0.95);
}
