/** Seeds wrap around at this number (decisions: Seeds). */
const SEEDS = 2_147_483_648;

export function seedOfOutput(seed: number, index: number): number {
  return (seed + index) % SEEDS;
}
