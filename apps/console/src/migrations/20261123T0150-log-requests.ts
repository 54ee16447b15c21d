import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: customers and operators look up what was requested in the last days. A partition holds one day of UTC, so that old rows
 * are dropped as a whole, without a scan and without dead rows. A function makes and drops them, because their names depend on
 * the date. Lock: none, the table is new. Way back: down().
 */
export class LogRequests1795398600000 implements MigrationInterface {
  name = 'LogRequests1795398600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_log (
        at          timestamptz NOT NULL,
        id          text NOT NULL,
        account_id  uuid NOT NULL,
        api_key_id  uuid NOT NULL,
        method      text NOT NULL,
        route       text,
        status      integer,
        code        text,
        duration_ms real NOT NULL,
        job_id      uuid,
        PRIMARY KEY (id, at)
      ) PARTITION BY RANGE (at)`);
    await runner.query('CREATE INDEX request_log_of_account ON request_log (account_id, at, id)');
    await runner.query('CREATE INDEX request_log_by_time ON request_log (at, id)');
    await runner.query(`
      CREATE FUNCTION keep_request_days(ahead integer, kept integer) RETURNS void LANGUAGE plpgsql AS $function$
      DECLARE
        today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
        day date;
        old text;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('kinora_request_log', 0));
        FOR day IN SELECT generate_series(today - 1, today + ahead, interval '1 day')::date LOOP
          EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)',
                         'request_log_' || to_char(day, 'YYYYMMDD'), day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
        END LOOP;
        FOR old IN SELECT part.relname FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
                    WHERE inhparent = 'request_log'::regclass
                      AND part.relname < 'request_log_' || to_char(today - kept, 'YYYYMMDD') LOOP
          EXECUTE format('DROP TABLE %I', old);
        END LOOP;
      END $function$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION keep_request_days');
    await runner.query('DROP TABLE request_log');
  }
}
