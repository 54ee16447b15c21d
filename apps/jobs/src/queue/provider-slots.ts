import { type InstanceSlots, hasFewSlots } from '@kinora/compute';
import { type Queryable, statement } from '@kinora/database';
import { ACCOUNT_OF_ATTEMPT, TAKES_PLACE_AT } from '../attempt/attempt.repository';

/** Locked in one order, which prevents deadlocks. */
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
 * Several processes with cached counts could fill the same few places. So a transaction that opens attempts at an instance with
 * few places takes its advisory lock, counts again, and holds the lock until it commits.
 * @returns for each request, in their order, whether a place is free.
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

/** @param taken the account of each task in progress. */
function hasFreeSlot({ common, newcomers }: InstanceSlots, taken: string[], accountId: string): boolean {
  const isNewcomer = !taken.includes(accountId);
  return taken.length < common + (isNewcomer ? newcomers : 0);
}
