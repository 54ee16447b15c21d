import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { formatFields } from '../output/format-fields';
import type { Report } from '../output/report';
import type { StackClient } from '../stack/stack-client';

/** Above any sensible limit of strikes. */
const MAX_STRIKES = 1_000;

/**
 * An activated account keeps its strikes, so the next strike may suspend it again. The report shows how many stand. The
 * status is set even if moderation does not answer.
 */
export async function withStandingStrikes(details: AccountDetails, stack: StackClient): Promise<Report> {
  const { account_id } = details;
  const strikes = await stack
    .request(moderationAdminRpc.listStrikes, { account_id, limit: MAX_STRIKES })
    .catch(() => null);
  const standing = strikes && strikes.data.filter(({ lifted_at }) => lifted_at === null).length;
  const text = formatFields(details);
  return {
    value: { ...details, standing_strikes: standing },
    text: standing === 0 ? text : `${text}\n\n${explain(standing, account_id)}`,
  };
}

function explain(standing: number | null, accountId: string): string {
  if (standing === null) return 'Moderation does not answer, so the number of standing strikes is unknown.';
  return (
    `${standing} ${standing === 1 ? 'strike still stands' : 'strikes still stand'}: the next one may suspend the account again. ` +
    `See kinora strike list --account ${accountId}, and kinora strike lift STRIKE_ID --reason R.`
  );
}
