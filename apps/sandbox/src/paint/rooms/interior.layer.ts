import { type Colour, fromHex, litColour, mixColours, scaleColour } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between, pick, type Random } from '../../raster/random';
import { fillOutline } from '../../raster/fill-outline';
import { type Outline } from '../../raster/shape';
import { addHalo } from '../../raster/around';
import { noiseFor, randomFor, type Stage } from '../stage';
import { paintBouquet } from './bouquet';
import { type StudioLight, studioLightOf } from './studio-light';
import { paintTurned } from './turned';

interface Window {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const WALLS = ['#8c8577', '#76807a', '#9a7f6c', '#7a7484', '#6b7681'] as const;
const FLOORS = ['#7a5234', '#5f4230', '#94704c'] as const;
const CURTAINS = ['#d9cfbd', '#a8584a', '#5f7a86', '#c9a86a', '#8a90a0'] as const;
const FRAME = fromHex('#e6e0d2');
const LAMP = fromHex('#ffca85');

/** A room around the painted view, which stays visible through its window. */
export function paintRoom(stage: Stage): void {
  const { raster, unit, light } = stage;
  const random = randomFor(stage, 'room');
  const studio = studioLightOf(stage);
  const half = Math.min(raster.width * 0.33, unit * 0.42);
  const centre = raster.width * between(random, 0.46, 0.54);
  const window = { left: centre - half, right: centre + half, top: raster.height * 0.1, bottom: raster.height * 0.64 };
  const floorY = raster.height * 0.8;
  const wall = fromHex(pick(random, WALLS));
  paintWalls(stage, window, scaleColour(wall, light.dark ? 0.55 : 0.8), floorY);
  paintFloor(stage, window, fromHex(pick(random, FLOORS)), floorY);
  paintFrame(stage, window);
  paintCurtains(stage, window, fromHex(pick(random, CURTAINS)), floorY, random);
  paintSill(stage, studio, window, random);
  if (light.dark) paintLamp(stage, studio, window.right + unit * 0.15, floorY + unit * 0.06);
}

function paintWalls(stage: Stage, window: Window, colour: Colour, floorY: number): void {
  const { raster, light, unit } = stage;
  const noise = noiseFor(stage, 'wall');
  const { width, data } = raster;
  const day = light.dark ? scaleColour(LAMP, 0.75) : mixColours(light.haze, fromHex('#ffffff'), 0.3);
  for (let y = 0; y < floorY; y++) {
    for (let x = 0; x < width; x++) {
      if (x > window.left && x < window.right && y > window.top && y < window.bottom) continue;
      const away =
        Math.hypot(Math.max(window.left - x, x - window.right, 0), Math.max(window.top - y, y - window.bottom, 0)) /
        unit;
      const plaster = 1 + fractal(noise, (x / unit) * 6, (y / unit) * 6, 3) * 0.1;
      const skirting = smoothstep(floorY - unit * 0.036, floorY - unit * 0.034, y);
      const glow = 0.2 + 0.3 * Math.exp(-away * 5);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++)
        data[offset + c] = mix(colour[c]!, FRAME[c]! * 0.7, skirting) * plaster * day[c]! * glow * 1.25;
    }
  }
}

/** Boards that run towards the window, with its light on them. */
function paintFloor(stage: Stage, window: Window, wood: Colour, floorY: number): void {
  const { raster, light } = stage;
  const noise = noiseFor(stage, 'floor');
  const { width, height, data } = raster;
  const centre = (window.left + window.right) / 2;
  const half = (window.right - window.left) / 2;
  const lamp = scaleColour(LAMP, light.dark ? 0.13 : 0);
  const sun = light.dark ? scaleColour(light.haze, 0.35) : light.key;
  for (let y = Math.floor(floorY); y < height; y++) {
    const depth = (y - floorY) / (height - floorY);
    const widening = 1 + depth * 0.75;
    for (let x = 0; x < width; x++) {
      const across = (x - centre) / (half * widening);
      const board = across * 7;
      const tone = 0.85 + (0.3 * (((Math.floor(board) * 2654435761) >>> 8) % 100)) / 100;
      const seam = smoothstep(0.0, 0.05, Math.abs(board - Math.round(board)));
      const grain = 1 + fractal(noise, board * 4, (depth * 3) / widening, 3) * 0.25;
      const slanted = across + depth * 0.5 * light.side;
      const pane =
        smoothstep(1, 0.93, Math.abs(slanted)) *
        smoothstep(0.03, 0.06, Math.abs(slanted)) *
        smoothstep(0.12, 0.2, depth) *
        smoothstep(0.95, 0.86, depth);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++)
        data[offset + c] =
          wood[c]! *
          tone *
          grain *
          mix(0.45, 1, seam) *
          (light.ambient[c]! * 0.4 + light.haze[c]! * 0.12 + lamp[c]! + sun[c]! * pane * 0.55);
    }
  }
}

function paintFrame({ raster, light, unit }: Stage, window: Window): void {
  const shade = scaleColour(FRAME, light.dark ? 0.14 : 0.34);
  const bright = scaleColour(FRAME, light.dark ? 0.2 : 0.55);
  const bar = unit * 0.013;
  const edge = unit * 0.022;
  const { left, right, top, bottom } = window;
  const middle = (left + right) / 2;
  const transom = top + (bottom - top) * 0.36;
  fillOutline(raster, upright(left - edge, top - edge, left, bottom), shade);
  fillOutline(raster, upright(right, top - edge, right + edge, bottom), shade);
  fillOutline(raster, upright(left - edge, top - edge, right + edge, top), shade);
  fillOutline(raster, upright(middle - bar, top, middle + bar, bottom), shade);
  fillOutline(raster, upright(left, transom - bar * 0.8, right, transom + bar * 0.8), shade);
  fillOutline(raster, upright(middle - bar, top, middle - bar * 0.4, bottom), bright);
  fillOutline(raster, upright(left, transom - bar * 0.8, right, transom - bar * 0.3), bright);
  fillOutline(raster, upright(left - edge * 2, bottom, right + edge * 2, bottom + unit * 0.03), bright);
  fillOutline(
    raster,
    upright(left - edge * 2, bottom + unit * 0.022, right + edge * 2, bottom + unit * 0.034),
    scaleColour(shade, 0.6),
  );
}

function paintCurtains(stage: Stage, window: Window, cloth: Colour, floorY: number, random: Random): void {
  const { raster, light, unit } = stage;
  const folds = between(random, 60, 85);
  for (const side of [-1, 1]) {
    const inner = side < 0 ? window.left + unit * 0.075 : window.right - unit * 0.075;
    const outer = side < 0 ? window.left - unit * 0.13 : window.right + unit * 0.13;
    const outline: Outline = [
      [outer, window.top - unit * 0.06],
      [inner, window.top - unit * 0.06],
      [inner - side * -unit * 0.02, (window.top + floorY) / 2],
      [inner + side * unit * 0.035, floorY - unit * 0.02],
      [outer, floorY - unit * 0.02],
    ];
    fillOutline(raster, outline, (x) => {
      const fold = 0.5 + 0.5 * Math.sin((x / unit) * folds + Math.sin((x / unit) * 21) * 1.4);
      const through = smoothstep(unit * 0.16, 0, Math.abs(x - inner)) * (light.dark ? 0.12 : 0.55);
      const amount = (0.12 + 0.22 * fold) * (light.dark ? 0.5 : 1) + through * (0.4 + 0.6 * fold);
      return litColour(scaleColour(cloth, amount), light.dark ? scaleColour(LAMP, 1.1) : light.haze);
    });
  }
  const rod = window.top - unit * 0.06;
  fillOutline(
    raster,
    upright(window.left - unit * 0.16, rod - unit * 0.006, window.right + unit * 0.16, rod + unit * 0.006),
    scaleColour(fromHex('#4a3a2c'), 0.5),
  );
}

function paintSill(stage: Stage, studio: StudioLight, window: Window, random: Random): void {
  const { raster, unit, light } = stage;
  // Objects on the sill are in front of the window, so their shaded side is visible.
  const backlit: StudioLight = {
    side: studio.side,
    key: scaleColour(studio.key, light.dark ? 0.3 : 0.5),
    ambient: scaleColour(studio.ambient, 1.2),
  };
  const x = mix(window.left, window.right, light.side < 0 ? between(random, 0.68, 0.8) : between(random, 0.2, 0.32));
  const y = window.bottom + unit * 0.012;
  const height = unit * 0.13;
  paintBouquet({ raster, light: backlit, random }, x, y - height, unit * 0.2, stage.scene.flowerColour);
  paintTurned(raster, backlit, {
    x,
    baseY: y,
    height,
    profile: [0.2, 0.3, 0.34, 0.3, 0.2, 0.17, 0.22],
    albedo: fromHex('#9ab0b4'),
    gloss: 0.4,
    open: true,
  });
  const cup = mix(window.left, window.right, light.side < 0 ? 0.3 : 0.66);
  paintTurned(raster, backlit, {
    x: cup,
    baseY: y + unit * 0.004,
    height: unit * 0.05,
    profile: [0.36, 0.44, 0.48, 0.5],
    albedo: fromHex('#d8cdbb'),
    gloss: 0.3,
    open: true,
  });
}

function paintLamp(stage: Stage, studio: StudioLight, x: number, baseY: number): void {
  const { raster, unit } = stage;
  const place = clamp(x, unit * 0.1, raster.width - unit * 0.09);
  const top = baseY - unit * 0.5;
  fillOutline(raster, upright(place - unit * 0.004, top, place + unit * 0.004, baseY), fromHex('#2a221c'));
  paintTurned(raster, studio, {
    x: place,
    baseY,
    height: unit * 0.02,
    profile: [3, 2.6, 0.6],
    albedo: fromHex('#2f2620'),
    gloss: 0.2,
    open: false,
  });
  fillOutline(
    raster,
    [
      [place - unit * 0.075, top + unit * 0.05],
      [place - unit * 0.045, top - unit * 0.06],
      [place + unit * 0.045, top - unit * 0.06],
      [place + unit * 0.075, top + unit * 0.05],
    ],
    scaleColour(LAMP, 1.5),
  );
  addHalo(raster, place, top, unit * 0.6, LAMP, 0.32);
  addHalo(raster, place, top, unit * 0.22, LAMP, 0.4);
}

function upright(left: number, top: number, right: number, bottom: number): Outline {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}
