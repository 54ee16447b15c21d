import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { type BillingDetails, billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import { keySpendRpc, ownMoneyRpc } from '@kinora/contracts/billing/own-money.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { BOOLEAN, checkedByContext, OPTIONAL_INTEGER, optional } from '../http/fields';
import { controllerOf, get, post } from './customer-route';
import { keySpendCsv } from './money/export-csv.query';

const CSV = { answer: 'text/csv' };
const TEXT = checkedByContext<string>({ type: 'string', minLength: 1 });
const NULLABLE_INTEGER = checkedByContext<number | null>({ type: ['integer', 'null'] });

/**
 * Money beyond the public API: payments, recharges, and lists as files. Billing decides what the session's key may see and
 * change.
 */
export const MoneyController = controllerOf('MoneyController', {
  listPayments: get('payments', { summary: 'List the payments of the account', query: ['cursor'] }, ({ ask, query }) =>
    ask(ownMoneyRpc.listPayments, query),
  ),
  /** The public API shows it as spent already. */
  showHeld: get('held', { summary: 'Show what jobs in flight hold of the balance' }, ({ ask }) =>
    ask(ownMoneyRpc.showHeld, {}),
  ),
  listKeySpend: get(
    'key-spend',
    { summary: 'List what each key has spent in the last days', query: ['days'] },
    async ({ ask, rawQuery }) => ask(keySpendRpc.listSpend, readDays(rawQuery['days'])),
  ),
  showBalanceAlert: get('balance-alert', { summary: 'Show below which balance the customer is warned' }, ({ ask }) =>
    ask(ownMoneyRpc.showBalanceAlert, {}),
  ),
  /** Null asks for no warning. */
  setBalanceAlert: post(
    'balance-alert',
    {
      summary: 'Change below which balance the customer is warned',
      body: { threshold_micros: NULLABLE_INTEGER },
    },
    ({ ask, body: { threshold_micros = null } }) => ask(ownMoneyRpc.setBalanceAlert, { threshold_micros }),
  ),
  /** Null where it was never configured. */
  showAutoRecharge: get('auto-recharge', { summary: 'Show the automatic recharge' }, ({ ask }) =>
    ask(ownMoneyRpc.showAutoRecharge, {}),
  ),
  setAutoRecharge: post(
    'auto-recharge',
    {
      summary: 'Change the automatic recharge',
      isStrict: true,
      body: {
        ...{ enabled: BOOLEAN, threshold_micros: OPTIONAL_INTEGER, amount_micros: OPTIONAL_INTEGER },
        ...{ monthly_cap_micros: optional(NULLABLE_INTEGER), card_id: optional(TEXT) },
      },
    },
    async ({ ask, body }) => ({ auto_recharge: await ask(ownMoneyRpc.setAutoRecharge, body) }),
  ),
  showBillingDetails: get('billing-details', { summary: 'Show who the customer is on statements' }, ({ ask }) =>
    ask(billingDetailsRpc.show, {}),
  ),
  setBillingDetails: post(
    'billing-details',
    {
      summary: 'Change who the customer is on statements',
      body: {
        ...{ name: TEXT, address: TEXT },
        tax_id: optional(checkedByContext<string | null>({ type: ['string', 'null'] })),
      },
    },
    ({ ask, body: { tax_id = null, ...body } }): Promise<{ billing_details: BillingDetails }> =>
      ask(billingDetailsRpc.set, { ...body, tax_id }),
  ),
  showMonth: get(
    'statements/:month',
    { summary: 'Show the statement of a month', hasTextId: true },
    async ({ ask, params: { month } }) => ask(ownMoneyRpc.showMonth, { month: readMonth(month) }),
  ),
  usage: get(
    'usage.csv',
    { ...CSV, summary: 'Save the usage', query: ['from', 'to', 'group_by'] },
    async ({ answers, csv, request, reply, session }) => {
      const signal = answers.begin(session.id, reply);
      const [, query] = request.url.split('?', 2);
      return fileOf('usage.csv', await csv.usage(session, query === undefined ? '' : `?${query}`, signal));
    },
  ),
  statement: get(
    'statement.csv',
    { ...CSV, summary: 'Save the statement', query: ['month'] },
    async ({ answers, ask, csv, rawQuery: { month }, reply, session }) => {
      const signal = answers.begin(session.id, reply);
      const shown = month === undefined ? null : await ask(ownMoneyRpc.showMonth, { month: readMonth(month) });
      return fileOf('statement.csv', Readable.from(await csv.statement(session, shown, signal)));
    },
  ),
  keySpend: get(
    'key-spend.csv',
    { ...CSV, summary: 'Save what each key has spent in the last days', query: ['days'] },
    async ({ ask, rawQuery }) =>
      fileOf('key-spend.csv', keySpendCsv(await ask(keySpendRpc.listSpend, readDays(rawQuery['days'])))),
  ),
});

function fileOf(name: string, content: string | Readable): StreamableFile {
  const options = { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${name}"` };
  return typeof content === 'string'
    ? new StreamableFile(Buffer.from(content), options)
    : new StreamableFile(content, options);
}

/** Billing checks the range. A repeated parameter is an array. */
function readDays(days: unknown): { days?: number } {
  if (days === undefined) return {};
  if (typeof days === 'string' && /^\d{1,9}$/.test(days)) return { days: Number(days) };
  throw new ApiError('invalid_query', 'days must be a whole number.', { param: 'days' });
}

function readMonth(month: unknown): string {
  if (typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw new ApiError('invalid_query', 'month must be such as 2026-11.', { param: 'month' });
}
