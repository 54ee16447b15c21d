import { type Colour } from './colour';
import { clamp } from './curve';
import { addAt, blendAt, type Raster } from './raster';

/** Receives the offset of a pixel's data, and the position of the pixel's middle relative to the centre. */
type Visit = (offset: number, dx: number, dy: number) => void;

/** Visits the pixels of a square around a point that lie inside the image. */
export function visitAround({ width, height }: Raster, cx: number, cy: number, reach: number, visit: Visit): void {
  const left = Math.max(0, Math.floor(cx - reach));
  const right = Math.min(width - 1, Math.floor(cx + reach));
  const top = Math.max(0, Math.floor(cy - reach));
  const bottom = Math.min(height - 1, Math.floor(cy + reach));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) visit((y * width + x) * 3, x + 0.5 - cx, y + 0.5 - cy);
  }
}

/** A round spot with a smooth edge. */
export function blendDisc(raster: Raster, cx: number, cy: number, radius: number, colour: Colour, alpha = 1): void {
  visitAround(raster, cx, cy, radius + 1, (offset, dx, dy) => {
    const cover = clamp(radius + 0.5 - Math.hypot(dx, dy), 0, 1);
    if (cover > 0) blendAt(raster.data, offset, colour, cover * alpha);
  });
}

/** A soft ball of light, added to the existing light. */
export function addHalo(raster: Raster, cx: number, cy: number, reach: number, colour: Colour, amount: number): void {
  visitAround(raster, cx, cy, reach, (offset, dx, dy) => {
    const distance = Math.hypot(dx, dy) / reach;
    if (distance < 1) addAt(raster.data, offset, colour, amount * (1 - distance) ** 3);
  });
}
