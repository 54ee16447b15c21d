import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: `unkeyed_request` has taken the place of both tables. Contracts: no release was the last to need them, because they came after the
 * previous one. Lock: that of tables which no statement uses. Way back: make both again, empty; repeats of the last 15 minutes then
 * find nothing to join.
 */
export class DropUnansweredRequests1795543020000 implements MigrationInterface {
  name = 'DropUnansweredRequests1795543020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_holder');
    await runner.query('DROP TABLE unanswered_request');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unanswered_request (
        id          uuid PRIMARY KEY,
        api_key_id  text NOT NULL,
        route       text NOT NULL,
        body_sha256 text NOT NULL,
        token       uuid NOT NULL,
        holder_id   uuid NOT NULL,
        opened_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        released_at timestamptz,
        answered_at timestamptz
      )`);
    await runner.query(
      'CREATE INDEX unanswered_request_to_join ON unanswered_request (api_key_id, body_sha256, route, answered_at DESC, opened_at)',
    );
    await runner.query('CREATE UNIQUE INDEX unanswered_request_by_token ON unanswered_request (token)');
    await runner.query('CREATE INDEX unanswered_request_by_age ON unanswered_request (opened_at)');
    await runner.query(`
      CREATE TABLE request_holder (
        id          uuid PRIMARY KEY,
        alive_until timestamptz NOT NULL
      )`);
  }
}
