import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a page of old open holds stepped over all holds that have ended, since the index of open ones was in the order of
 * accounts; in the order of jobs it serves everybody who asks for open holds. And each entry of the ledger was written into the index of payments, though hardly any comes from
 * a payment.
 * Lock: none that anybody waits for: the new indexes are built beside the old ones, which go when they are there.
 * Way back: down().
 */
export class SlimMoneyIndexes1795222200000 implements MigrationInterface {
  name = 'SlimMoneyIndexes1795222200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const open = `ON hold (job_id, account_id) WHERE state = 'held'`;
    await buildIndex(runner, { name: 'hold_open_by_job', definition: open });
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS hold_open');
    const paid = 'ON ledger_entry (payment_id) WHERE payment_id IS NOT NULL';
    await buildIndex(runner, { name: 'ledger_entry_of_payment', definition: paid, unique: true });
    await runner.query('ALTER TABLE ledger_entry DROP CONSTRAINT IF EXISTS ledger_entry_once_per_payment');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'hold_open', definition: `ON hold (account_id, job_id) WHERE state = 'held'` });
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS hold_open_by_job');
    const paid = { name: 'ledger_entry_once_per_payment', definition: 'ON ledger_entry (payment_id)', unique: true };
    await buildIndex(runner, paid);
    await runner.query(
      'ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_once_per_payment UNIQUE USING INDEX ledger_entry_once_per_payment',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entry_of_payment');
  }
}
