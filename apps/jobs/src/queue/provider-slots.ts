import { type InstanceSlots, hasFewSlots } from '@kinora/compute';
import { type Queryable, statement } from '@kinora/database';
import { ACCOUNT_OF_ATTEMPT, TAKES_PLACE_AT } from '../attempt/attempt.repository';

/** In one order for all, since two orders would deadlock. */
const LOCK_PROVIDERS = statement(
  'provider_lock',
  `SELECT pg_advisory_xact_lock(hashtext('kinora_provider ' || name)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS provider_name`,
);

/** The snapshot is taken after the lock, so it includes the attempts of the process that held the lock before. */
const COUNT_RUNNING = statement(
  'provider_count_running',
  `SELECT provider, ${ACCOUNT_OF_ATTEMPT}, count(*) AS count FROM attempt
    WHERE ${TAKES_PLACE_AT} = ANY($1::text[]) GROUP BY 1, 2`,
);

/** A job that is to be sent to an instance. */
export interface SlotRequest {
  provider: string;
  accountId: string;
  slots: InstanceSlots;
}

/**
 * Each process counts what is under way now and then, and several at once would each fill the same few places. So whoever
 * opens attempts at an instance with few places takes its advisory lock, counts once more, and keeps the lock until it commits.
 * @returns for each request, in their order, whether there is a place for it.
 */
export async function claimSlots(transaction: Queryable, requests: SlotRequest[]): Promise<boolean[]> {
  const providers = [...new Set(requests.filter(({ slots }) => hasFewSlots(slots)).map(({ provider }) => provider))];
  if (providers.length === 0) return requests.map(() => true);
  await transaction.query(LOCK_PROVIDERS, [providers]);
  const rows = await transaction.query<{ provider: string; account_id: string; count: number }>(COUNT_RUNNING, [
    providers,
  ]);
  const taken = new Map<string, string[]>(providers.map((provider) => [provider, []]));
  for (const { provider, account_id: accountId, count } of rows)
    taken.get(provider)?.push(...Array.from({ length: count }, () => accountId));
  return requests.map(({ provider, accountId, slots }) => {
    const accounts = taken.get(provider);
    const isFree = !accounts || hasFreeSlot(slots, accounts, accountId);
    if (isFree) accounts?.push(accountId);
    return isFree;
  });
}

/** @param taken the account of each task under way. */
function hasFreeSlot({ common, newcomers }: InstanceSlots, taken: string[], accountId: string): boolean {
  const isNewcomer = !taken.includes(accountId);
  return taken.length < common + (isNewcomer ? newcomers : 0);
}
