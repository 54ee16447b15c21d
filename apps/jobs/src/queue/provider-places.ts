import { type InstancePlaces, hasFewPlaces } from '@kinora/compute';
import { type Queryable, statement } from '@kinora/database';
import { ACCOUNT_OF_ATTEMPT, TAKES_PLACE_AT } from '../attempt/attempt.repository';

/** In one order for all, since two orders would deadlock. */
const TAKE_TURNS = statement(
  'provider_take_turns',
  `SELECT pg_advisory_xact_lock(hashtext('kinora_provider ' || name)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS full_soon`,
);

/** The snapshot is taken after the lock, so it includes the attempts of the process that held the lock before. */
const COUNT_UNDER_WAY = statement(
  'provider_count_under_way',
  `SELECT provider, ${ACCOUNT_OF_ATTEMPT}, count(*) AS count FROM attempt
    WHERE ${TAKES_PLACE_AT} = ANY($1::text[]) GROUP BY 1, 2`,
);

/** A job that is to be sent to an instance. */
export interface PlaceRequest {
  provider: string;
  accountId: string;
  places: InstancePlaces;
}

/**
 * Each process counts what is under way now and then, and several at once would each fill the same few places. So whoever
 * opens attempts at an instance with few places takes its advisory lock, counts once more, and keeps the lock until it commits.
 * @returns for each request, in their order, whether there is a place for it.
 */
export async function takePlaces(transaction: Queryable, requests: PlaceRequest[]): Promise<boolean[]> {
  const providers = [...new Set(requests.filter(({ places }) => hasFewPlaces(places)).map(({ provider }) => provider))];
  if (providers.length === 0) return requests.map(() => true);
  await transaction.query(TAKE_TURNS, [providers]);
  const rows = await transaction.query<{ provider: string; account_id: string; count: number }>(COUNT_UNDER_WAY, [
    providers,
  ]);
  const taken = new Map<string, string[]>(providers.map((provider) => [provider, []]));
  for (const { provider, account_id: accountId, count } of rows)
    taken.get(provider)?.push(...Array.from({ length: count }, () => accountId));
  return requests.map(({ provider, accountId, places }) => {
    const accounts = taken.get(provider);
    const isFree = !accounts || hasPlace(places, accounts, accountId);
    if (isFree) accounts?.push(accountId);
    return isFree;
  });
}

/** @param taken the account of each task under way. */
function hasPlace({ common, newcomers }: InstancePlaces, taken: string[], accountId: string): boolean {
  const isNewcomer = !taken.includes(accountId);
  return taken.length < common + (isNewcomer ? newcomers : 0);
}
