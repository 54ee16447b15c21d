import { statement } from '@kinora/database';
import { NIL, v7 as uuidv7 } from 'uuid';
import { LedgerRanges } from '../src/wallet/ledger-ranges';
import { WalletRepository } from '../src/wallet/wallet.repository';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { useBilling } from './billing.fixtures';
import { auditAfter } from './ledger-tampering.fixtures';

const COUNT = statement('spec_count', 'SELECT count(*)::integer AS entries FROM ledger_entry');

describe('the ranges of the ledger', () => {
  const billing = useBilling();
  const run = (sql: string) => billing.database.execute(statement('', sql));
  const namesOf = (...millions: number[]) => millions.map((million) => `ledger_entry_${million}000000`);
  const names = async (): Promise<string[]> => {
    const list = statement(
      '',
      `SELECT relid::text AS name FROM pg_partition_tree('ledger_entry') WHERE isleaf ORDER BY 1`,
    );
    return (await billing.database.query<{ name: string }>(list)).map(({ name }) => name);
  };

  it('are made ahead, also for an entry past the last one: its job and its reference still count once', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const job_id = uuidv7();
    const change = { kind: 'top_up', account_id, amount_micros: 1, reason: null, reference: 'once' } as const;
    const wallets = new WalletRepository();
    await billing.reserve({ account_id, job_id, amount_micros: 30 });
    await wallets.changeBalance(billing.database, change);
    await billing.get(LedgerRanges).maintain(new Date());
    expect(await names()).toEqual([...namesOf(10, 20, 30), 'ledger_entry_first']);

    await run(`SELECT setval('ledger_entry_id_seq', 40000000)`);
    await billing.capture(job_id);
    expect(await names()).toEqual([...namesOf(10, 20, 30, 40, 50, 60, 70), 'ledger_entry_first']);
    await expect(wallets.changeBalance(billing.database, change)).rejects.toThrow('ledger_reference_pkey');
    await billing.capture(job_id);
    await expect(billing.reserve({ account_id, job_id, amount_micros: 30 })).rejects.toThrow('already ended');
    expect(await billing.database.findOne(COUNT)).toEqual({ entries: 4 });
    expect((await billing.get(VerifyLedger).execute({ full: true })).violations).toEqual([]);
  });

  it('have each entry of a job compared: a second reserve after its month has closed is found', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: 30 });
    await billing.capture(job_id);
    await billing.get(VerifyLedger).execute();
    const { violations } = await auditAfter(billing.database, [
      `INSERT INTO ledger_month SELECT '2020-01', max(id) + 1, '${NIL}', now() FROM ledger_entry`,
      `UPDATE hold SET created_at = '2020-01-01', ended_at = '2020-01-02' WHERE job_id = '${job_id}'`,
      `SELECT setval('ledger_entry_id_seq', last_value + 10000000) FROM ledger_entry_id_seq`,
      `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
       VALUES ('${account_id}', 'reserve', 'available', 'held', 30, '${job_id}')`,
    ]);
    expect(violations).toContainEqual(expect.objectContaining({ rule: 'job_is_reserved_and_ended_once', account_id }));
  });

  it.each(['UPDATE', 'DELETE FROM', 'TRUNCATE'])('refuse %s each', async (verb) => {
    for (const name of await names()) {
      const sql = `${verb} ${name} ${verb === 'UPDATE' ? 'SET amount_micros = 1' : ''}`;
      await expect(run(sql)).rejects.toThrow(`permission denied for table ${name}`);
      await run(`GRANT ALL ON ${name} TO CURRENT_USER`);
      await expect(run(sql)).rejects.toThrow(`${name} is append-only`);
      await run(`REVOKE UPDATE, DELETE, TRUNCATE ON ${name} FROM CURRENT_USER`);
    }
  });
});
