import { type Colour, scaleColour } from '../raster/colour';
import { clamp } from '../raster/curve';
import { addHalo } from '../raster/around';
import { type Raster } from '../raster/raster';
import { fillOutline } from '../raster/fill-outline';
import { circle, type Outline, ribbon } from '../raster/shape';
import { type Light } from '../scene/light';
import { seenColour } from './seen-colour';

/**
 * Direct light on a surface: 0 in its own shade, 1 facing the source; or a function of the place, in the subject's own
 * units.
 */
export type Shade = number | ((x: number, y: number) => number);

/**
 * Where a subject stands and how it appears. It is drawn in its own units: 1 is its size, y points up, its base is at
 * 0.
 */
export interface Placement {
  readonly x: number;
  readonly baseY: number;
  readonly size: number;
  /** The amount of haze in front of it, 0 to 1. */
  readonly air: number;
  readonly mirrored?: boolean;
  /**
   * Draws it upside down as a reflection, with the opacity that this returns for each pixel: 0 where there is no water.
   */
  readonly reflection?: (x: number, y: number) => number;
  readonly snowy?: boolean;
}

/** Draws shapes in a subject's own units, in the light and the haze of the place where it stands. */
export interface Pen {
  /** Whether lamps are lit. */
  readonly dark: boolean;
  /** Whether snow lies on roofs. */
  readonly snowy: boolean;
  /** -1 when the light comes from the subject's left, 1 when from its right. */
  readonly lightSide: number;
  fill(outline: Outline, albedo: Colour, shade?: Shade): void;
  line(points: Outline, width: number | ((t: number) => number), albedo: Colour, shade?: Shade): void;
  disc(x: number, y: number, radius: number, albedo: Colour, shade?: Shade): void;
  /** A shape that emits light. */
  shine(outline: Outline, colour: Colour, strength: number): void;
  halo(x: number, y: number, reach: number, colour: Colour, amount: number): void;
  /** A soft ball that partly hides what is behind it, as smoke does. */
  puff(x: number, y: number, radius: number, albedo: Colour, opacity: number): void;
  /** Light in the air, strongest at the outline's first point. */
  beam(outline: Outline, colour: Colour, amount: number): void;
  /** Adds halos and beams last: they lie over the whole subject, are not part of its body, and are not reflected. */
  addLights(): void;
}

export function createPen(raster: Raster, light: Light, place: Placement): Pen {
  const across = place.mirrored ? -place.size : place.size;
  const up = place.reflection === undefined ? place.size : -place.size * 0.9;
  const alpha = place.reflection ?? 1;
  const lights: (() => void)[] = [];
  const toRgbImage = (outline: Outline): Outline =>
    outline.map(([x, y]) => [place.x + x * across, place.baseY - y * up] as const);
  const fill = (outline: Outline, albedo: Colour, shade: Shade = 0.6): void => {
    const paint =
      typeof shade === 'number'
        ? seenColour(light, albedo, shade, place.air)
        : (px: number, py: number) =>
            seenColour(light, albedo, shade((px - place.x) / across, (place.baseY - py) / up), place.air);
    fillOutline(raster, toRgbImage(outline), paint, alpha);
  };
  return {
    dark: light.dark,
    snowy: place.snowy ?? false,
    lightSide: light.side * (place.mirrored ? -1 : 1),
    fill,
    line: (points, width, albedo, shade) =>
      fill(ribbon(points, typeof width === 'number' ? () => width : width), albedo, shade),
    disc: (x, y, radius, albedo, shade) => fill(circle(x, y, radius), albedo, shade),
    shine: (outline, colour, strength) =>
      fillOutline(raster, toRgbImage(outline), scaleColour(colour, strength * (1 - place.air * 0.6)), alpha),
    halo: (x, y, reach, colour, amount) => {
      lights.push(() =>
        addHalo(raster, place.x + x * across, place.baseY - y * up, reach * place.size, colour, amount),
      );
    },
    puff: (x, y, radius, albedo, opacity) => {
      const [cx, cy] = [place.x + x * across, place.baseY - y * up];
      const reach = radius * place.size;
      const soft = (px: number, py: number): number =>
        opacity * (place.reflection?.(px, py) ?? 1) * Math.max(0, 1 - Math.hypot(px - cx, py - cy) / reach);
      fillOutline(raster, circle(cx, cy, reach), seenColour(light, albedo, 0.4, place.air), soft);
    },
    beam: (outline, colour, amount) => {
      lights.push(() => addBeam(raster, toRgbImage(outline), colour, amount));
    },
    addLights: () => lights.forEach((addLight) => addLight()),
  };
}

/** The light on an upright round body: brightest towards the source, in its own shade behind. */
export function roundShade(pen: Pen, centreX: number, halfWidth: number): Shade {
  return (x) => clamp(0.42 + (0.55 * pen.lightSide * (x - centreX)) / halfWidth, 0.02, 1);
}

function addBeam(raster: Raster, outline: Outline, colour: Colour, amount: number): void {
  const [fromX, fromY] = outline[0]!;
  const length = Math.max(...outline.map(([x, y]) => Math.hypot(x - fromX, y - fromY)));
  fillOutline(
    raster,
    outline,
    colour,
    (x, y) => amount * Math.max(0, 1 - Math.hypot(x - fromX, y - fromY) / length) ** 1.5,
  );
}
