import { type Colour, mixColours } from './colour';

/** A colour ramp that is mixed once, in OKLab, and then read from a table. */
export interface Gradient {
  readonly size: number;
  /** Three floats per entry, in linear light. */
  readonly table: Float32Array;
}

const SIZE = 1024;

/** Spreads the stops evenly over 0 to 1. */
export function createGradient(stops: readonly Colour[]): Gradient {
  const table = new Float32Array(SIZE * 3);
  for (let i = 0; i < SIZE; i++) table.set(colourAlong(stops, i / (SIZE - 1)), i * 3);
  return { size: SIZE, table };
}

/** The offset in `table` of the entry at `position` (0 to 1, clamped). */
export function gradientOffset(gradient: Gradient, position: number): number {
  const clamped = position < 0 ? 0 : position > 1 ? 1 : position;
  return Math.round(clamped * (gradient.size - 1)) * 3;
}

export function gradientColour(gradient: Gradient, position: number): Colour {
  const offset = gradientOffset(gradient, position);
  return [gradient.table[offset]!, gradient.table[offset + 1]!, gradient.table[offset + 2]!];
}

function colourAlong(stops: readonly Colour[], position: number): Colour {
  const scaled = position * (stops.length - 1);
  const index = Math.min(Math.floor(scaled), stops.length - 2);
  const from = stops[Math.max(index, 0)];
  const to = stops[index + 1];
  if (!from || !to) throw new Error('a gradient needs two stops at least');
  return mixColours(from, to, scaled - index);
}
