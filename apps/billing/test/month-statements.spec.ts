import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { GetStatement, ListAccountStatement } from '../src/use-cases/list-statement.query';
import { ShowMonth } from '../src/use-cases/show-month.query';
import { CloseLedgerMonth } from '../src/use-cases/close-ledger-month.use-case';
import { useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';

const billing = useBilling();

const ENTER = statement(
  'spec_enter',
  `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const HOLD = statement(
  'spec_hold',
  `INSERT INTO hold (job_id, account_id, amount_micros, state, created_at, ended_at)
   VALUES ($1, $2, $3, $4, '2026-02-01', CASE WHEN $4 <> 'held' THEN '2026-03-01'::timestamptz END)
   ON CONFLICT (job_id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at`,
);
const BALANCE = statement(
  'spec_balance',
  'UPDATE wallet SET available_micros = 72, spent_micros = 30 WHERE account_id = $1',
);
const [CHARGED, RETURNED] = [uuidv7(), uuidv7()];

describe('the statement of a month', () => {
  let own: SelfService;

  beforeAll(async () => {
    own = await SelfService.open(billing, 0);
    const { account_id } = own.caller;
    const hold = (id: string, amount: number, state: string) =>
      billing.database.execute(HOLD, [id, account_id, amount, state]);
    const enter = (at: string, move: string, amount: number, job: string | null = null) =>
      billing.database.execute(ENTER, [account_id, ...move.split(' '), amount, job, at]);
    await enter('2026-01-05T00:00:00Z', 'top_up top_ups available', 90);
    await enter('2026-01-31T23:59:59.9Z', 'top_up top_ups available', 10);
    await hold(CHARGED, 30, 'captured');
    await hold(RETURNED, 20, 'held');
    await enter('2026-02-01T00:00:00Z', 'reserve available held', 30, CHARGED);
    await enter('2026-02-10T00:00:00Z', 'capture held revenue', 30, CHARGED);
    await enter('2026-02-15T00:00:00Z', 'reserve available held', 20, RETURNED);
    await enter('2026-02-28T23:59:59.9Z', 'dispute available top_ups', 5);
    await hold(RETURNED, 20, 'refunded');
    await enter('2026-03-01T00:00:00Z', 'refund held available', 20, RETURNED);
    await enter('2026-03-05T00:00:00Z', 'credit credits available', 7);
    await billing.database.execute(BALANCE, [account_id]);
  });

  const [opening, charged] = [{ opening_micros: 100 }, { charged_jobs: 1, charged_micros: 30 }];
  const none = { charged_jobs: 0, charged_micros: 0, reserved_micros: 0, entries: [] };
  const dispute = { kind: 'adjustment', cause: 'dispute', balance_delta_micros: -5, balance_after_micros: 45 };
  const months: [month: string, shown: object][] = [
    ['2025-12', { opening_micros: 0, closing_micros: 0, ...none }],
    ['2026-01', { opening_micros: 0, closing_micros: 100, entries: [{ amount_micros: 90 }, { amount_micros: 10 }] }],
    ['2026-02', { ...opening, closing_micros: 45, ...charged, reserved_micros: 20, entries: [dispute] }],
    ['2026-03', { opening_micros: 45, closing_micros: 72, reserved_micros: -20, entries: [{ kind: 'credit' }] }],
    ['2026-04', { opening_micros: 72, closing_micros: 72, ...none }],
  ];
  const show = (month: string) => billing.get(ShowMonth).execute(own.caller.account_id, month);

  it.each(months)('%s has its entries, and the balances around it', async (month, shown) => {
    expect(await show(month)).toMatchObject({ month, billing_details: null, ...shown });
  });

  it('is where the pages of the whole statement begin with its last entry', async () => {
    const { cursor } = await show('2026-02');
    const { data } = await billing.get(ListAccountStatement).execute({ ...own.caller, limit: 2, cursor });
    expect(data).toMatchObject([dispute, { kind: 'reserve', amount_micros: 20, balance_after_micros: 50 }]);
  });

  /** The whole statement in pages of two, as customers and as operators read it. */
  async function readPages(): Promise<unknown[]> {
    const read: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await billing
        .get(ListAccountStatement)
        .execute({ ...own.caller, limit: 2, ...(cursor && { cursor }) });
      read.push(page.data);
      cursor = page.next_cursor;
    }
    const { account_id } = own.caller;
    for (let before_entry_id: string | null | undefined; before_entry_id !== null;) {
      const request = { account_id, limit: 2, ...(before_entry_id && { before_entry_id }) };
      const { data, next_before_entry_id } = await billing.get(GetStatement).execute(request);
      read.push(data);
      before_entry_id = next_before_entry_id;
    }
    return read;
  }

  it('is the same when months before, this one, and later ones have closed, as is the whole statement', async () => {
    const close = billing.get(CloseLedgerMonth);
    const readAll = async () => [...(await Promise.all(months.map(([month]) => show(month)))), ...(await readPages())];
    const open = await readAll();
    expect(open).toHaveLength(months.length + 4 + 4);
    for (const closedUntil of ['2026-02-10', '2026-03-10', '2026-05-10'])
      while (await close.execute(new Date(closedUntil))) expect(await readAll()).toEqual(open);
  });

  it.each(['2026-13', '2026', ''])('is refused for %j', async (month) => {
    await expect(show(month)).rejects.toMatchObject({ code: 'invalid_body', param: 'month' });
  });
});
