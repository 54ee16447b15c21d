import { clamp, mix } from '../raster/curve';
import { createNoise, type Noise } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { between, type Random } from '../raster/random';
import { offsetAt, redrawn, slopeAt, tonesOf, unitOf } from './tone';

/** The content of the canvas: paint, and its thickness. */
interface Canvas {
  readonly image: RgbImage;
  readonly paint: Float32Array;
  readonly height: Float32Array;
}

/**
 * The marks of a brush's bristles along and across a stroke, computed once because every pixel of every stroke reads
 * them.
 */
interface Bristles {
  readonly marks: Float32Array;
  readonly side: number;
}

interface Stroke {
  x: number;
  y: number;
  angle: number;
  length: number;
  width: number;
  colour: readonly [number, number, number];
  /** The offset in the marks of the brush at which this stroke begins. */
  phase: number;
}

/** Widths of the brushes as shares of the unit, broad ones first; a finer one paints only areas with detail. */
const BRUSHES = [
  { width: 1 / 34, detail: 0 },
  { width: 1 / 62, detail: 0.012 },
  { width: 1 / 115, detail: 0.035 },
] as const;

/** Thick oil paint: strokes along the forms, broad ones first, and light on their ridges. */
export async function impasto(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const bristles = bristlesOf(noise);
  const size = image.width * image.height;
  const canvas: Canvas = { image, paint: Float32Array.from(image.data), height: new Float32Array(size) };
  for (const brush of BRUSHES) {
    const width = Math.max(2, brush.width * unit * boldness);
    const model = await fromSharp(
      toSharp(image)
        .blur(Math.max(0.5, width / 2.5))
        .modulate({ saturation: 1.22 }),
    );
    const forms = tonesOf(await fromSharp(toSharp(image).blur(Math.max(0.6, width * 0.9))));
    coat(canvas, model, forms, { width, detail: brush.detail, noise, bristles, random });
  }
  return lit(canvas, boldness);
}

interface Brush {
  width: number;
  detail: number;
  noise: Noise;
  bristles: Bristles;
  random: Random;
}

/** One brush covers the whole canvas, with a stroke for every place of a jittered grid that needs one. */
function coat(
  canvas: Canvas,
  model: RgbImage,
  forms: Float32Array,
  { width, detail, noise, bristles, random }: Brush,
): void {
  const { image } = canvas;
  const unit = unitOf(image);
  const places: [number, number][] = [];
  for (let y = 0; y < image.height + width; y += width * 0.55)
    for (let x = 0; x < image.width + width; x += width * 0.9) places.push([x, y]);
  // In a random order; in sequence the rows would overlap like tiles.
  for (let i = places.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [places[i], places[j]] = [places[j]!, places[i]!];
  }
  for (const [column, row] of places) {
    const x = column + between(random, -0.5, 0.5) * width;
    const y = row + between(random, -0.5, 0.5) * width;
    const from = offsetAt(image, x, y);
    const pixel = from / 3;
    const [across, down] = slopeAt(forms, image, pixel % image.width, Math.floor(pixel / image.width));
    const steep = Math.hypot(across, down) * width;
    const phase = Math.floor(random() * bristles.marks.length);
    const lightness = 1 + between(random, -0.07, 0.07);
    if (steep < detail) continue;
    // Where the image has no forms, strokes follow a noise field.
    const swing = noise((x / unit) * 2.2, (y / unit) * 2.2) * Math.PI;
    const along = Math.atan2(down, across) + Math.PI / 2;
    const angle = steep > 0.02 ? along : swing;
    const colour = [0, 1, 2].map((c) => model.data[from + c]! * lightness) as [number, number, number];
    lay(
      canvas,
      { x, y, angle, length: width * between(random, 1.5, 2.4), width: width * 0.62, colour, phase },
      bristles,
    );
  }
}

function bristlesOf(noise: Noise): Bristles {
  const side = 64;
  const marks = Float32Array.from({ length: side * side }, (_, i) =>
    noise((i % side) * 0.28, Math.floor(i / side) * 0.056),
  );
  return { marks, side };
}

/** Paints one stroke: full in the middle, broken up by the bristles towards its end. */
function lay({ image, paint, height }: Canvas, stroke: Stroke, { marks, side }: Bristles): void {
  const { x, y, angle, length, width, colour, phase } = stroke;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const across = Math.abs(cos) * length + Math.abs(sin) * width;
  const down = Math.abs(sin) * length + Math.abs(cos) * width;
  const right = Math.min(image.width - 1, x + across);
  const bottom = Math.min(image.height - 1, y + down);
  for (let py = Math.max(0, Math.floor(y - down)); py <= bottom; py++) {
    for (let px = Math.max(0, Math.floor(x - across)); px <= right; px++) {
      const along = ((px - x) * cos + (py - y) * sin) / length;
      const aside = ((py - y) * cos - (px - x) * sin) / width;
      const inside = 1 - along * along * along * along - aside * aside * aside * aside;
      if (inside <= 0) continue;
      const place = phase + (((aside + 1) * 16) | 0) + (((along + 1) * 16) | 0) * side;
      const bristle = marks[place % marks.length]!;
      const cover = clamp(inside * 3.2 + bristle * 1.3 - Math.max(0, along) * 1.1, 0, 1);
      if (cover <= 0) continue;
      const pixel = py * image.width + px;
      const shade = 1 + bristle * 0.07;
      for (let c = 0; c < 3; c++) paint[pixel * 3 + c] = mix(paint[pixel * 3 + c]!, colour[c]! * shade, cover);
      const thick = 0.55 + bristle * 0.45 + Math.abs(aside * aside * aside) * 0.5;
      height[pixel] = mix(height[pixel]!, thick, cover);
    }
  }
}

/** The light comes from the upper left: ridges shine on that side and cast a small shadow on the other. */
function lit({ image, paint, height }: Canvas, boldness: number): RgbImage {
  return redrawn(image, (into, offset, x, y) => {
    const [across, down] = slopeAt(height, image, x, y);
    const light = clamp(-(across + down) * 0.5 * boldness, -0.34, 0.5);
    for (let c = 0; c < 3; c++) into[offset + c] = paint[offset + c]! * (1 + light * 0.55) + Math.max(0, light) * 40;
  });
}
