export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

export function mix(from: number, to: number, amount: number): number {
  return from + (to - from) * amount;
}

/** 0 below `low`, 1 above `high`, and a soft S between; `low` may be the larger one for a falling curve. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}
