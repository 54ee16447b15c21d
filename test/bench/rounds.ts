import { type LoadResult, medianOf } from './load';

/** The results of a named load: the medians of its rounds, and its rate in each of them. */
export interface Measurement extends LoadResult {
  rounds: number[];
}

export type Measured = Record<string, Measurement>;

/** Runs all loads in rotation, so that noise of the machine affects all of them alike. */
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
