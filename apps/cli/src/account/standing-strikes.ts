import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { formatFields } from '../output/format-fields';
import type { Report } from '../output/report';
import type { StackClient } from '../stack/stack-client';

/** More than any limit of strikes that makes sense. */
const MAX_STRIKES = 1_000;

/**
 * An account that is activated keeps its strikes, so that the next one may suspend it again: the operator learns how many stand.
 * The status is set by then, also where moderation cannot say.
 */
export async function withStandingStrikes(details: AccountDetails, stack: StackClient): Promise<Report> {
  const { account_id } = details;
  const strikes = await stack.ask(moderationAdminRpc.listStrikes, { account_id, limit: MAX_STRIKES }).catch(() => null);
  const standing = strikes && strikes.data.filter(({ lifted_at }) => lifted_at === null).length;
  const text = formatFields(details);
  return {
    value: { ...details, standing_strikes: standing },
    text: standing === 0 ? text : `${text}\n\n${explain(standing, account_id)}`,
  };
}

function explain(standing: number | null, accountId: string): string {
  if (standing === null) return 'Moderation does not answer: whether strikes still stand is not known.';
  return (
    `${standing} ${standing === 1 ? 'strike still stands' : 'strikes still stand'}: the next one may suspend the account again. ` +
    `See kinora strike list --account ${accountId}, and kinora strike lift STRIKE_ID --reason R.`
  );
}
