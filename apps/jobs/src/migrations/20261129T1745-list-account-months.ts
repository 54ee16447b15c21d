import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The months of the ids of jobs that were created on a day: an id is made up to three days before its row, by a clock that may be ahead. */
const monthsOf = (days: string): string => `
  SELECT DISTINCT account_id, date_trunc('month', (day + shift)::timestamp)::date AS month, model
    FROM ${days} CROSS JOIN unnest(ARRAY[-3, 0, 1]) AS shift ORDER BY 1, 2, 3`;

export const FILL_ACCOUNT_MONTHS = `INSERT INTO account_month (account_id, month, model) ${monthsOf('usage_day')}`;

/**
 * Why: a list of an account reads the months in which it has jobs, and not every month that there was. The trigger writes a row for the
 * first ended job of a month, whichever release counts it.
 * Lock: usage_day, while the rows of its days are read: jobs are counted later, and no request waits. Way back: drops it.
 */
export class ListAccountMonths1795974300000 implements MigrationInterface {
  name = 'ListAccountMonths1795974300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_month (
        account_id uuid NOT NULL,
        month date NOT NULL,
        model text NOT NULL,
        PRIMARY KEY (account_id, month, model)
      );
      CREATE FUNCTION add_months_of_days() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO account_month (account_id, month, model) ${monthsOf('new_day')} ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER usage_day_adds_months AFTER INSERT ON usage_day REFERENCING NEW TABLE AS new_day
        FOR EACH STATEMENT EXECUTE FUNCTION add_months_of_days();
      ${FILL_ACCOUNT_MONTHS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER usage_day_adds_months ON usage_day;
      DROP FUNCTION add_months_of_days();
      DROP TABLE account_month`);
  }
}
