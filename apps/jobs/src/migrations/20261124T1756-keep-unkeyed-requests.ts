import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a client without an Idempotency-Key repeats a request after a lost connection, and must not pay twice. One row a request
 * says whether its connection has closed before the answer; no process holds it. Lock: none, because the table is new. Way back:
 * drop it.
 */
export class KeepUnkeyedRequests1795542960000 implements MigrationInterface {
  name = 'KeepUnkeyedRequests1795542960000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unkeyed_request (
        id           uuid PRIMARY KEY,
        account_id   uuid NOT NULL,
        request_hash text NOT NULL,
        state        text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'abandoned')),
        sending      integer NOT NULL DEFAULT 1,
        changed_at   timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    const newest = 'ON unkeyed_request (account_id, request_hash, changed_at DESC)';
    await runner.query(`CREATE INDEX unkeyed_request_newest ${newest}`);
    // A client that sends one body again and again has many equal rows, of which an unmarked repeat reads the abandoned ones only.
    await runner.query(`CREATE INDEX unkeyed_request_abandoned ${newest} WHERE state = 'abandoned'`);
    await runner.query('CREATE INDEX unkeyed_request_by_age ON unkeyed_request (changed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unkeyed_request');
  }
}
