import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useBilling, runConcurrently } from './billing.fixtures';
import { auditAfter, rulesOf, tampering } from './ledger-tampering.fixtures';
import { ACCOUNT_RULES, LEDGER_RULES } from '../src/wallet/ledger-rules';
import { VerifyLedger, verifyLedger } from '../src/use-cases/verify-ledger.use-case';

const billing = useBilling();

/**
 * Manipulations of a captured job by direct database access, and the rules that find each: in a run after a verification,
 * in a full run, and in a first run.
 */
const TAMPERINGS: { act: string[]; found: string[]; foundInFull?: string[]; foundAtFirst?: string[] }[] = [
  {
    act: ['UPDATE wallet SET available_micros = available_micros + 1'],
    found: ['money_is_conserved', 'wallet_equals_entries'],
  },
  {
    act: ['UPDATE wallet SET held_micros = held_micros + 1, spent_micros = spent_micros - 1 WHERE spent_micros > 0'],
    found: ['held_equals_open_holds', 'wallet_equals_entries'],
  },
  { act: ['UPDATE wallet SET in_flight_jobs = 9'], found: ['in_flight_equals_open_holds'] },
  {
    act: [`DELETE FROM hold WHERE state = 'captured'`],
    found: [],
    foundInFull: ['job_is_reserved_and_ended_once', 'key_budget_equals_its_holds'],
    foundAtFirst: ['job_is_reserved_and_ended_once'],
  },
  {
    act: [`UPDATE hold SET state = 'refunded' WHERE state = 'captured'`],
    found: [],
    foundInFull: ['job_is_reserved_and_ended_once', 'key_budget_equals_its_holds'],
    foundAtFirst: ['job_is_reserved_and_ended_once'],
  },
  {
    act: [
      `INSERT INTO hold (job_id, account_id, amount_micros, state, ended_at)
       SELECT gen_random_uuid(), account_id, 1, 'captured', now() FROM wallet`,
    ],
    found: [],
    foundInFull: ['job_is_reserved_and_ended_once'],
  },
  {
    act: tampering(`UPDATE ledger_entry SET amount_micros = 31 WHERE kind = 'capture'`),
    found: [],
    foundInFull: ['entries_are_as_verified', 'job_is_reserved_and_ended_once'],
    foundAtFirst: ['job_is_reserved_and_ended_once', 'nothing_is_negative', 'wallet_equals_entries'],
  },
  {
    // The remaining rows are consistent: only the checkpoint shows that entries are missing.
    act: tampering(
      `DELETE FROM ledger_entry WHERE job_id IN (SELECT job_id FROM hold WHERE state = 'refunded')`,
      `DELETE FROM hold WHERE state = 'refunded'`,
    ),
    found: [],
    foundInFull: ['entries_are_as_verified'],
  },
  {
    act: tampering(`UPDATE ledger_entry SET reason = 'another' WHERE kind = 'top_up'`),
    found: [],
    foundInFull: ['entries_are_as_verified'],
  },
  {
    act: [
      'ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_is_known_move',
      `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros)
       SELECT account_id, 'top_up', 'held', 'held', 1 FROM wallet`,
    ],
    found: ['entries_balance'],
  },
  {
    act: ['UPDATE key_budget SET spent_micros = 29'],
    found: [],
    foundInFull: ['key_budget_equals_its_holds'],
  },
  {
    act: [
      `INSERT INTO auto_recharge (account_id, enabled, threshold_micros, amount_micros, payment_method)
       SELECT account_id, false, 1, 1, 'none' FROM wallet`,
      `INSERT INTO payment (id, account_id, provider, amount_micros, payment_method, state, reference, ended_at)
       SELECT gen_random_uuid(), account_id, 'sandbox', 1, 'none', 'succeeded', 'lost', now() FROM wallet`,
    ],
    found: [],
    foundInFull: ['payment_is_entered_once'],
  },
  {
    act: [
      `INSERT INTO checkout (id, account_id, provider, amount_micros, saves_card, address, state, charge, next_check_at, ended_at)
       SELECT gen_random_uuid(), account_id, 'sandbox', 10000, false, '::1', 'paid', account_id, now(), now() FROM wallet`,
    ],
    found: [],
    foundInFull: ['payment_moves_its_amount'],
  },
  {
    act: [
      `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reference)
       SELECT account_id, 'dispute', 'debts', 'top_ups', 1, 'dispute ' || gen_random_uuid() || rest
       FROM wallet CROSS JOIN (VALUES (''), ('0')) AS forged (rest)`,
      'UPDATE wallet SET owed_micros = 2',
    ],
    found: ['entry_names_a_payment'],
  },
  { act: ['UPDATE wallet SET owed_micros = 1'], found: ['money_is_conserved', 'wallet_equals_entries'] },
  { act: ['ALTER TABLE ledger_entry DISABLE TRIGGER USER'], found: ['ledger_is_append_only'] },
];

describe('verify ledger', () => {
  let account_id: string;

  beforeAll(async () => {
    await billing.createAccount({ name: 'empty' });
    ({ account_id } = await billing.createAccount({ name: 'used', balance_micros: 100 }));
    const capped = { account_id, name: 'capped', cap_micros: 30, cap_period: 'month' } as const;
    const { api_key_id } = await billing.createKey(capped);
    const [captured, refunded, barred] = [uuidv7(), uuidv7(), uuidv7()];
    await billing.reserve({ account_id, api_key_id, job_id: captured, amount_micros: 30 });
    await billing.reserve({ account_id, job_id: refunded, amount_micros: 30 });
    await billing.capture(captured);
    await billing.refund(refunded);
    await billing.refund(barred);
  });

  const run = (sql: string) => billing.database.execute(statement('', sql));

  describe.each(TAMPERINGS)('after $act', ({ act, found, foundInFull = found, foundAtFirst = found }) => {
    it(`finds [${found.join()}] after earlier entries were verified`, async () => {
      await billing.get(VerifyLedger).execute();
      expect(rulesOf(await auditAfter(billing.database, act))).toEqual(found);
    });

    it(`finds [${foundInFull.join()}] in a full run`, async () => {
      await billing.get(VerifyLedger).execute();
      const report = await auditAfter(billing.database, act, { full: true });
      expect(rulesOf(report)).toEqual(foundInFull);
      expect(report).toMatchObject({ ok: false, next_cursor: null });
    });

    it(`finds [${foundAtFirst.join()}] when nothing was verified before`, async () => {
      expect(rulesOf(await auditAfter(billing.database, ['DELETE FROM ledger_checkpoint', ...act]))).toEqual(
        foundAtFirst,
      );
    });
  });

  it('finds a violation of every rule in some case above', () => {
    const found = TAMPERINGS.flatMap((tampering) => [
      ...tampering.found,
      ...(tampering.foundInFull ?? []),
      ...(tampering.foundAtFirst ?? []),
    ]);
    expect([...ACCOUNT_RULES, ...Object.keys(LEDGER_RULES)].sort()).toEqual([...new Set(found)].sort());
  });

  it('reports a violation again in every run', async () => {
    const broken = [
      'ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_is_known_move',
      `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros)
       SELECT account_id, 'top_up', 'held', 'held', 1 FROM wallet`,
    ];
    const undo = new Error('undo');
    const tampering = billing.database.transaction(async (transaction) => {
      for (const sql of broken) await transaction.execute(statement('', sql));
      for (let time = 0; time < 3; time++) {
        const report = await verifyLedger({ transaction: (work) => work(transaction) }, {});
        expect(rulesOf(report)).toEqual(['entries_balance']);
      }
      throw undo;
    });
    await expect(tampering).rejects.toBe(undo);
  });

  it('reports nothing for a ledger that only billing has written', async () => {
    expect(await billing.get(VerifyLedger).execute()).toEqual({
      ok: true,
      accounts: 2,
      entries: 5,
      books: {
        available_micros: 70,
        held_micros: 0,
        revenue_micros: 30,
        top_ups_micros: -100,
        credits_micros: 0,
        debts_micros: 0,
      },
      violations: [],
      next_account_id: null,
    });
  });

  it('does not report concurrent moves as missing money', async () => {
    const opened = await billing.createAccount({ name: 'busy', balance_micros: 100 });
    const outcomes = await runConcurrently(300, async (index) => {
      if (index % 20 === 0) return (await billing.get(VerifyLedger).execute()).violations;
      const job_id = uuidv7();
      await billing.reserve({ account_id: opened.account_id, job_id, amount_micros: 1 });
      return billing.refund(job_id);
    });
    expect(outcomes.filter((_, index) => index % 20 === 0)).toEqual(Array(15).fill([]));
  });

  it('continues after the account where it stopped', async () => {
    const [first] = await billing.database.query<{ account_id: string }>(
      statement('', 'SELECT account_id FROM wallet ORDER BY account_id'),
    );
    const after_account_id = first?.account_id ?? '';
    expect(await billing.get(VerifyLedger).execute({ after_account_id })).toMatchObject({ ok: true, accounts: 2 });
    const refused = billing.get(VerifyLedger).execute({ after_account_id: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'after_account_id' });
  });

  it('names the account and the violation', async () => {
    const { violations } = await auditAfter(billing.database, [
      `UPDATE wallet SET in_flight_jobs = 9 WHERE account_id = '${account_id}'`,
    ]);
    const detail = 'wallet counts 9 jobs, open holds are 0';
    expect(violations).toEqual([{ rule: 'in_flight_equals_open_holds', account_id, detail }]);
  });

  it('compares the budget of a key with the holds of this key, not of others in the same period', async () => {
    const opened = await billing.createAccount({ name: 'two budgets', balance_micros: 100 });
    for (const amount_micros of [10, 20]) {
      const capped = { account_id: opened.account_id, name: 'capped', cap_micros: 50, cap_period: 'month' } as const;
      const { api_key_id } = await billing.createKey(capped);
      await billing.reserve({ account_id: opened.account_id, api_key_id, job_id: uuidv7(), amount_micros });
    }
    expect((await billing.get(VerifyLedger).execute({ full: true })).violations).toEqual([]);
  });

  it.each(['UPDATE ledger_entry SET reason = $$$$', 'DELETE FROM ledger_entry', 'TRUNCATE ledger_entry'])(
    'relies on the ledger to refuse: %s',
    async (sql) => {
      await expect(run(sql)).rejects.toThrow('permission denied for table ledger_entry');
      // The table owner can grant itself the privilege, and the trigger still refuses.
      await run('GRANT ALL ON ledger_entry TO CURRENT_USER');
      await expect(run(sql)).rejects.toThrow('ledger_entry is append-only');
      await run('REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entry FROM CURRENT_USER');
    },
  );
});
