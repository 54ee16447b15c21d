import { type Queryable, statement } from '@kinora/database';

/** Of an instance that takes more, a few too many are no harm, and counting them for each claim would cost more than they. */
const FEW = 100;

/** Whether what an instance takes at once is held to exactly, over all processes. */
export function hasFewPlaces({ concurrency }: { concurrency: number }): boolean {
  return concurrency <= FEW;
}

/** In one order for all, since two orders would deadlock. */
const TAKE_TURNS = statement(
  'provider_take_turns',
  `SELECT pg_advisory_xact_lock(hashtext('kinora_provider ' || name)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS full_soon`,
);

/** As of this moment: who had the turn before has committed. */
const COUNT_UNDER_WAY = statement(
  'provider_count_under_way',
  `SELECT provider, count(*) AS count FROM attempt
    WHERE provider = ANY($1::text[]) AND state <> 'ended' AND state <> 'collecting' GROUP BY provider`,
);

interface Bounded {
  id: string;
  concurrency: number;
}

/**
 * Each process counts what is under way now and then, and several at once would each fill the same few places. So whoever
 * opens attempts at an instance with few places waits for his turn, counts once more, and keeps it until he commits.
 * @returns for each wish, in their order, whether there is a place for it.
 */
export async function takePlaces(transaction: Queryable, wishes: Bounded[]): Promise<boolean[]> {
  const bounded = new Map(wishes.filter(hasFewPlaces).map(({ id, concurrency }) => [id, concurrency]));
  if (bounded.size === 0) return wishes.map(() => true);
  const ids = [...bounded.keys()];
  await transaction.query(TAKE_TURNS, [ids]);
  const rows = await transaction.query<{ provider: string; count: number }>(COUNT_UNDER_WAY, [ids]);
  for (const { provider, count } of rows) bounded.set(provider, (bounded.get(provider) ?? 0) - count);
  return wishes.map(({ id }) => {
    const free = bounded.get(id);
    if (free !== undefined) bounded.set(id, free - 1);
    return free === undefined || free > 0;
  });
}
