import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the index of open holds was ordered by account, so a page of old open holds read all ended holds. Ordered by job,
 * it serves all queries for open holds. Also, each ledger entry was written into the index of payments, although few
 * entries come from a payment.
 * Lock: none that blocks a statement: the new indexes are built concurrently, and the old ones are dropped afterwards.
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
