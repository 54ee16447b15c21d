import { createRaster, type Raster } from './raster';

/** Halves an image `times` times, by the mean of four. */
export function shrink(raster: Raster, times: number): Raster {
  let current = raster;
  for (let i = 0; i < times && current.width > 1 && current.height > 1; i++) current = halve(current);
  return current;
}

/** Three box blurs in sequence approximate a Gaussian, at a cost that does not grow with the radius. */
export function blur(raster: Raster, radius: number): Raster {
  let current = raster;
  for (let pass = 0; pass < 3; pass++) current = transposedBoxBlur(transposedBoxBlur(current, radius), radius);
  return current;
}

function halve({ width, height, data }: Raster): Raster {
  const half = createRaster(width >> 1, height >> 1);
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = (y * 2 * width + x * 2) * 3;
      const to = (y * half.width + x) * 3;
      for (let c = 0; c < 3; c++) {
        half.data[to + c] =
          (data[from + c]! + data[from + 3 + c]! + data[from + width * 3 + c]! + data[from + width * 3 + 3 + c]!) / 4;
      }
    }
  }
  return half;
}

/** Blurs along the rows and writes columns, so that calling it twice blurs both ways with one loop. */
function transposedBoxBlur({ width, height, data }: Raster, radius: number): Raster {
  const turned = createRaster(height, width);
  const scale = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let c = 0; c < 3; c++) {
      let sum = data[row * 3 + c]! * (radius + 1);
      for (let x = 1; x <= radius; x++) sum += data[(row + Math.min(x, width - 1)) * 3 + c]!;
      for (let x = 0; x < width; x++) {
        turned.data[(x * height + y) * 3 + c] = sum * scale;
        const entering = Math.min(x + radius + 1, width - 1);
        const leaving = Math.max(x - radius, 0);
        sum += data[(row + entering) * 3 + c]! - data[(row + leaving) * 3 + c]!;
      }
    }
  }
  return turned;
}
