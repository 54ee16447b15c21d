import { enterInbox, statement } from '@kinora/database';
import { useBilling } from './billing.fixtures';
import { BillingPruner } from '../src/background/billing-pruner';
import { GetWebhookSecrets, RotateWebhookSecret } from '../src/use-cases/rotate-webhook-secret.use-case';

const billing = useBilling();

const AGE_MESSAGES = statement(
  'spec_age_messages',
  `UPDATE inbox SET received_at = now() - $2 * interval '1 day' WHERE message_id = $1`,
);
const LIST_MESSAGES = statement('spec_list_messages', 'SELECT message_id FROM inbox ORDER BY message_id');
const AGE_SECRETS = statement(
  'spec_age_secrets',
  `UPDATE webhook_secret SET valid_until = now() - $2 * interval '1 hour' WHERE account_id = $1 AND valid_until IS NOT NULL`,
);
const COUNT_SECRETS = statement('spec_count_secrets', 'SELECT id FROM webhook_secret WHERE account_id = $1');

describe('pruning of billing', () => {
  it('deletes messages that cannot be redelivered, and keeps all others', async () => {
    const { database } = billing;
    for (const [message, days] of [
      ['new', 0],
      ['of six days', 6],
      ['of eight days', 8],
    ] as const) {
      await enterInbox(database, 'spec', message);
      await database.execute(AGE_MESSAGES, [message, days]);
    }

    expect(await billing.get(BillingPruner).prunePage()).toBe(false);

    expect(await database.query(LIST_MESSAGES)).toEqual([{ message_id: 'new' }, { message_id: 'of six days' }]);
    expect(await enterInbox(database, 'spec', 'of six days')).toBe(false);
  });

  it('deletes secrets a day after they expire, but not the current one nor one that still signs', async () => {
    const { account_id } = await billing.createAccount();
    const count = async () => (await billing.database.query(COUNT_SECRETS, [account_id])).length;
    await billing.get(RotateWebhookSecret).execute({ account_id, grace_hours: 1 });
    await billing.get(BillingPruner).prunePage();
    expect(await count()).toBe(2);
    await billing.database.execute(AGE_SECRETS, [account_id, 23]);
    await billing.get(BillingPruner).prunePage();
    expect(await count()).toBe(2);

    await billing.database.execute(AGE_SECRETS, [account_id, 25]);
    await billing.get(BillingPruner).prunePage();

    expect(await count()).toBe(1);
    expect((await billing.get(GetWebhookSecrets).execute({ account_id })).secrets).toHaveLength(1);
  });
});
