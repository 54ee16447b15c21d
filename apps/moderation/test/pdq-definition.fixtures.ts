const SIDE = 64;
const FREQUENCIES = 16;

/** PDQ of 64 by 64 luminances, a slow reference implementation of the definition: cosine transform, median, bits. */
export function pdqByDefinition(luminances: ArrayLike<number>): { hex: string; quality: number } {
  const coefficients = Array.from({ length: FREQUENCIES ** 2 }, (_, index) =>
    coefficient(luminances, Math.floor(index / FREQUENCIES) + 1, (index % FREQUENCIES) + 1),
  );
  const median = coefficients.toSorted((one, other) => one - other)[FREQUENCIES ** 2 / 2 - 1] ?? 0;
  // Bit number 16 i + j of a 256-bit number, whose digits are written from the highest down.
  const hash = coefficients.reduce((sum, value, index) => (value > median ? sum | (1n << BigInt(index)) : sum), 0n);
  return { hex: hash.toString(16).padStart(64, '0'), quality: qualityByDefinition(luminances) };
}

function coefficient(luminances: ArrayLike<number>, vertical: number, horizontal: number): number {
  let sum = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) sum += cosine(vertical, y) * (luminances[y * SIDE + x] ?? 0) * cosine(horizontal, x);
  }
  return sum;
}

function cosine(frequency: number, at: number): number {
  return Math.sqrt(2 / SIDE) * Math.cos((Math.PI / 2 / SIDE) * frequency * (2 * at + 1));
}

function qualityByDefinition(luminances: ArrayLike<number>): number {
  const percentsBetween = (one: number, other: number): number =>
    Math.abs(Math.trunc((((luminances[one] ?? 0) - (luminances[other] ?? 0)) * 100) / 255));
  let gradient = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      if (y + 1 < SIDE) gradient += percentsBetween(y * SIDE + x, (y + 1) * SIDE + x);
      if (x + 1 < SIDE) gradient += percentsBetween(y * SIDE + x, y * SIDE + x + 1);
    }
  }
  return Math.min(100, Math.trunc(gradient / 90));
}
