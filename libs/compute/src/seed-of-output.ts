/** Interface: seeds run from 0 to 2147483647; output i has seed (seed + i) mod 2147483648. */
const SEEDS = 2_147_483_648;

export function seedOfOutput(seed: number, index: number): number {
  return (seed + index) % SEEDS;
}
