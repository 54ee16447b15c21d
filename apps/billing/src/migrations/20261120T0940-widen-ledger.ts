import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: money may also be granted and corrected, operator actions are recorded, and the ledger refuses changes by its
 * owner too.
 * Lock: ACCESS EXCLUSIVE on ledger_entry while every entry is checked once; about a second for a million.
 * Way back: drop the table and restore the former checks, which only a ledger without the new kinds passes.
 */
export class WidenLedger1795167600000 implements MigrationInterface {
  name = 'WidenLedger1795167600000';

  async up(runner: QueryRunner): Promise<void> {
    await allowMoves(
      runner,
      `('credit', 'credits', 'available'), ('adjustment', 'credits', 'available'), ('adjustment', 'available', 'credits'),`,
      `kind IN ('top_up', 'credit', 'adjustment')`,
    );
    await runner.query('REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entry FROM PUBLIC, CURRENT_USER');
    // ALWAYS: the trigger also fires in replica mode (session_replication_role), which skips ordinary triggers.
    await runner.query('ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only');
    await runner.query(`
      CREATE TABLE operator_action (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        action     text NOT NULL,
        -- The operator as named in the request; null if the request names none.
        actor      text,
        reason     text,
        details    json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX operator_action_of_account ON operator_action (account_id, id)');
    await runner.query('REVOKE UPDATE, DELETE, TRUNCATE ON operator_action FROM PUBLIC, CURRENT_USER');
    await runner.query(`
      CREATE TRIGGER operator_action_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_action
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query('ALTER TABLE operator_action ENABLE ALWAYS TRIGGER operator_action_is_append_only');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_action');
    await runner.query('GRANT UPDATE, DELETE, TRUNCATE ON ledger_entry TO CURRENT_USER');
    await runner.query('ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_is_append_only');
    await allowMoves(runner, '', `kind = 'top_up'`);
  }
}

/** Sets the checks of an entry, with the given moves in addition to those of every version. */
async function allowMoves(runner: QueryRunner, moves: string, isWithoutJob: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ledger_entry
      DROP CONSTRAINT ledger_entry_is_known_move,
      DROP CONSTRAINT ledger_entry_moves_forward,
      DROP CONSTRAINT ledger_entry_has_job,
      ADD CONSTRAINT ledger_entry_is_known_move CHECK ((kind, debit, credit) IN (
        ${moves}
        ('top_up', 'top_ups', 'available'),
        ('reserve', 'available', 'held'),
        ('capture', 'held', 'revenue'),
        ('refund', 'held', 'available'))),
      ADD CONSTRAINT ledger_entry_moves_forward CHECK (amount_micros > 0 OR (amount_micros = 0 AND job_id IS NOT NULL)),
      ADD CONSTRAINT ledger_entry_has_job CHECK ((${isWithoutJob}) = (job_id IS NULL))`);
}
