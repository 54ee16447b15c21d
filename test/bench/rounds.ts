import { type LoadResult, medianOf } from './load';

/** What a named load achieved: the medians of its rounds, and its rate in each of them. */
export interface Measurement extends LoadResult {
  rounds: number[];
}

export type Measured = Record<string, Measurement>;

/** Runs all loads in turn, again and again, so that a noisy moment of the machine falls on each of them. */
export async function measureInRounds(
  rounds: number,
  loads: Record<string, () => Promise<LoadResult>>,
): Promise<Measured> {
  const results: Record<string, LoadResult[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(loads)) (results[name] ??= []).push(await run());
  return Object.fromEntries(
    Object.entries(results).map(([name, all]) => [
      name,
      { ...medianOf(all), rounds: all.map(({ perSecond }) => perSecond) },
    ]),
  );
}
