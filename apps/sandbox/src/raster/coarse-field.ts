/**
 * Values computed on a coarse grid, for content that is soft anyway; they are interpolated smoothly between its points.
 */
export interface CoarseField {
  readonly columns: number;
  readonly rows: number;
  readonly coarseness: number;
  readonly values: Float32Array;
}

/** `valueAt` receives a pixel's place, and the index of its value in the field. */
export function createCoarseField(
  width: number,
  height: number,
  coarseness: number,
  valueAt: (x: number, y: number, index: number) => number,
): CoarseField {
  const columns = Math.ceil(width / coarseness) + 2;
  const rows = Math.ceil(height / coarseness) + 2;
  const values = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column;
      values[index] = valueAt(column * coarseness, row * coarseness, index);
    }
  }
  return { columns, rows, coarseness, values };
}

export function fieldAt({ columns, coarseness, values }: CoarseField, x: number, y: number): number {
  const column = (x / coarseness) | 0;
  const row = (y / coarseness) | 0;
  const u = x / coarseness - column;
  const v = y / coarseness - row;
  const i = row * columns + column;
  const upper = values[i]! + (values[i + 1]! - values[i]!) * u;
  const lower = values[i + columns]! + (values[i + columns + 1]! - values[i + columns]!) * u;
  return upper + (lower - upper) * v;
}
