import { v7 as uuidv7 } from 'uuid';
import { PaymentEventsController } from '../src/payment-events.controller';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { ListRecords } from '../src/use-cases/list-records.query';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { RefundPayment } from '../src/use-cases/refund-payment.use-case';
import type { TestBilling } from './billing.fixtures';
import { PayingAccount } from './checkouts.fixtures';
import type { StripePages } from './stripe-pages.fixtures';

/** An account that has paid 25 USD in, and has spent some of it. */
export async function openPaidAccount(billing: TestBilling, pages: () => StripePages, { spent = 0 } = {}) {
  const account = await PayingAccount.open(billing, pages);
  const { account_id } = account;
  const { payment_id } = await account.checkout();
  pages().pay(payment_id);
  await account.webhook({ payment_id });
  if (spent > 0) {
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: spent });
    await billing.capture(job_id);
  }
  const receive = (type: string, object_id: string) =>
    billing.get(PaymentEventsController).receive({ provider: 'stripe', type, object_id });
  return {
    account_id,
    payment_id,
    show: () => billing.show(account_id),
    receive,
    dispute: (status = 'needs_response') => {
      const known = pages().disputes.find(({ id }) => id === `dp_${payment_id}`);
      const { id } = known ? Object.assign(known, { status }) : pages().dispute(payment_id, { status });
      return receive('charge.dispute.updated', id);
    },
    refund: (amount_micros: number, changes = {}) =>
      billing
        .get(RefundPayment)
        .execute({ account_id, payment_id, amount_micros, reason: 'asked for it', actor: 'ada', ...changes }),
    topUp: (amount_micros: number) => billing.get(TopUp).execute({ account_id, amount_micros }),
    lines: async () => (await billing.get(GetStatement).execute({ account_id })).data,
    payments: async () => (await billing.get(ListRecords).listPayments({ account_id })).data,
  };
}
