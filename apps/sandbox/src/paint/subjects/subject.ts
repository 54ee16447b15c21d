import { type Random } from '../../raster/random';
import { type Outline } from '../../raster/shape';
import { type Subject } from '../../scene/scene';
import { type Pen } from '../pen';

export type SubjectPainter = (pen: Pen, subject: Subject, random: Random) => void;

/** A rectangle by its lower left corner. */
export function box(x: number, y: number, width: number, height: number): Outline {
  return [
    [x, y],
    [x, y + height],
    [x + width, y + height],
    [x + width, y],
  ];
}

/** Corners as `x,y` pairs with spaces between them, as in the points of an SVG polygon. */
export function outlineOf(points: string): Outline {
  return points.split(' ').map((pair) => {
    const [x, y] = pair.split(',').map(Number);
    return [x ?? 0, y ?? 0] as const;
  });
}

export function segment(fromX: number, fromY: number, toX: number, toY: number): Outline {
  return [
    [fromX, fromY],
    [toX, toY],
  ];
}
