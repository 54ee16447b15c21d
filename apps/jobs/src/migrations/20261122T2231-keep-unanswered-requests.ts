import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a client without an Idempotency-Key resends a request after a dropped connection, and must not pay twice. The table keeps
 * such requests until their answer is sent. Lock: none, because the tables are new. Way back: drop them.
 */
export class KeepUnansweredRequests1795386660000 implements MigrationInterface {
  name = 'KeepUnansweredRequests1795386660000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unanswered_request (
        id          uuid PRIMARY KEY,
        api_key_id  text NOT NULL,
        route       text NOT NULL,
        body_sha256 text NOT NULL,
        token       uuid NOT NULL,
        holder_id   uuid NOT NULL,
        opened_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        released_at timestamptz
      )`);
    await runner.query('CREATE INDEX unanswered_request_by_body ON unanswered_request (api_key_id, body_sha256)');
    await runner.query('CREATE UNIQUE INDEX unanswered_request_by_token ON unanswered_request (token)');
    await runner.query('CREATE INDEX unanswered_request_by_age ON unanswered_request (opened_at)');
    await runner.query(`
      CREATE TABLE request_holder (
        id          uuid PRIMARY KEY,
        alive_until timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_holder');
    await runner.query('DROP TABLE unanswered_request');
  }
}
