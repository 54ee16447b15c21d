import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a usage report that begins or ends within a day read up to 1,439 minutes of every model at each end. Hours are now
 * summed too, by a trigger, so that hours are also counted while the previous release, which adds only minutes, still runs.
 * Lock: writes to usage_minute wait while its rows are summed, a second for a million. Only roll-ups wait. Way back: down();
 * the older code reads minutes again.
 */
export class RollUpHours1795212600000 implements MigrationInterface {
  name = 'RollUpHours1795212600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HOURS);
    await runner.query(ADD_TO_HOUR);
    await runner.query(`
      INSERT INTO usage_hour (account_id, hour, model, succeeded, failed, canceled, charged_micros, gpu_ms)
      SELECT account_id, date_trunc('hour', minute, 'UTC'), model, sum(succeeded), sum(failed), sum(canceled),
             sum(charged_micros), sum(gpu_ms)
        FROM usage_minute GROUP BY 1, 2, 3`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER usage_minute_adds_to_hour ON usage_minute');
    await runner.query('DROP FUNCTION add_minute_to_hour()');
    await runner.query('DROP TABLE usage_hour');
  }
}

const HOURS = `
  CREATE TABLE usage_hour (
    account_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    model text NOT NULL,
    succeeded bigint NOT NULL,
    failed bigint NOT NULL,
    canceled bigint NOT NULL,
    charged_micros bigint NOT NULL,
    gpu_ms bigint NOT NULL,
    PRIMARY KEY (account_id, hour, model)
  ) WITH (fillfactor = 70)`;

/** The increase of a minute's sums. */
const ADD_TO_HOUR = `
  CREATE FUNCTION add_minute_to_hour() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_hour AS known (account_id, hour, model, succeeded, failed, canceled, charged_micros, gpu_ms)
    VALUES (NEW.account_id, date_trunc('hour', NEW.minute, 'UTC'), NEW.model,
            NEW.succeeded - coalesce(OLD.succeeded, 0), NEW.failed - coalesce(OLD.failed, 0),
            NEW.canceled - coalesce(OLD.canceled, 0), NEW.charged_micros - coalesce(OLD.charged_micros, 0),
            NEW.gpu_ms - coalesce(OLD.gpu_ms, 0))
    ON CONFLICT (account_id, hour, model) DO UPDATE
       SET succeeded = known.succeeded + excluded.succeeded, failed = known.failed + excluded.failed,
           canceled = known.canceled + excluded.canceled, charged_micros = known.charged_micros + excluded.charged_micros,
           gpu_ms = known.gpu_ms + excluded.gpu_ms;
    RETURN NULL;
  END $$;
  CREATE TRIGGER usage_minute_adds_to_hour AFTER INSERT OR UPDATE ON usage_minute
    FOR EACH ROW EXECUTE FUNCTION add_minute_to_hour()`;
