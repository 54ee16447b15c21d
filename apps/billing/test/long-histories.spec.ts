import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import { statement } from '@kinora/database';
import { useBilling } from './billing.fixtures';
import { WRITE_ENTRIES } from './ledger-tampering.fixtures';
import { ENTRIES_AT_ONCE } from '../src/wallet/wallet-audit';
import { WalletRepository } from '../src/wallet/wallet.repository';
import { VerifyLedger, verifyLedger } from '../src/use-cases/verify-ledger.use-case';

const billing = useBilling({}, { damagesLedger: true });

const ENTRIES = 2 * ENTRIES_AT_ONCE + 7;
const CHANGE_ONE = [
  'GRANT UPDATE ON ledger_entry TO CURRENT_USER',
  'ALTER TABLE ledger_entry DISABLE TRIGGER USER',
  `UPDATE ledger_entry SET created_at = created_at + interval '1 microsecond'
   WHERE id = (SELECT id FROM ledger_entry ORDER BY id OFFSET ${ENTRIES_AT_ONCE + 3} LIMIT 1)`,
  'ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only',
];

describe('verify an account with a long history', () => {
  let account_id: string;

  beforeAll(async () => {
    await billing.createAccount({ name: 'before it', balance_micros: 5 });
    ({ account_id } = await billing.createAccount({ name: 'long' }));
    await billing.createAccount({ name: 'behind it', balance_micros: 5 });
    await billing.database.execute(WRITE_ENTRIES, [account_id, ENTRIES]);
  });

  /** With time for one statement per call, like an account that takes longer than any call may. */
  const callInAHurry = (request: VerifyLedgerRequest) => verifyLedger(billing.database, request, 0);

  async function runFully(): Promise<LedgerReport[]> {
    const reports = [await callInAHurry({ full: true })];
    for (let cursor = reports[0]?.next_cursor; cursor; cursor = reports.at(-1)?.next_cursor)
      reports.push(await callInAHurry({ full: true, cursor }));
    return reports;
  }

  it('continues where the last call stopped, until the end', async () => {
    const reports = [await callInAHurry({})];
    for (let next = reports[0]?.next_account_id ?? null; next !== null; next = reports.at(-1)?.next_account_id ?? null)
      reports.push(await callInAHurry({ after_account_id: next }));
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.length).toBeLessThan(10);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(reports.at(-1)).toMatchObject({ accounts: 3, entries: ENTRIES + 2, next_account_id: null });
  });

  it('reads no entry again in the next run, which is one call', async () => {
    expect(await callInAHurry({})).toMatchObject({
      ok: true,
      accounts: 3,
      entries: ENTRIES + 2,
      next_account_id: null,
    });
  });

  it('reads all entries again in a full run over several calls', async () => {
    const reports = await runFully();
    expect(reports.length).toBeGreaterThan(3);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(reports.reduce((sum, { entries }) => sum + entries, 0)).toBe(ENTRIES + 2);
  });

  it('names the account whose old entry was changed, once', async () => {
    for (const sql of CHANGE_ONE) await billing.database.execute(statement('', sql));
    expect(await callInAHurry({})).toMatchObject({ ok: true });
    const violations = (await runFully()).flatMap((report) => report.violations);
    expect(violations).toMatchObject([{ rule: 'entries_are_as_verified', account_id }]);
  });

  it('names the field of an invalid cursor', async () => {
    const refused = billing.get(VerifyLedger).execute({ full: true, cursor: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'cursor' });
  });

  it('counts an entry with an earlier id that is committed after a run has read later ones', async () => {
    const [slow, quick] = [
      await billing.createAccount({ name: 'slow' }),
      await billing.createAccount({ name: 'quick' }),
    ];
    const wallets = new WalletRepository();
    const change = (of: { account_id: string }) =>
      ({ kind: 'top_up', account_id: of.account_id, amount_micros: 10, reason: null }) as const;
    await billing.database.transaction(async (transaction) => {
      await wallets.changeBalance(transaction, change(slow));
      await wallets.changeBalance(billing.database, change(quick));
      expect(await billing.get(VerifyLedger).execute()).toMatchObject({ ok: true, entries: ENTRIES + 3 });
    });
    expect(await billing.get(VerifyLedger).execute()).toMatchObject({ ok: true, entries: ENTRIES + 4 });
  });
});
