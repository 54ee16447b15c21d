import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = { name: 'unanswered_request_by_body', definition: 'ON unanswered_request (api_key_id, body_sha256)' };
const AFTER = {
  name: 'unanswered_request_to_join',
  definition: 'ON unanswered_request (api_key_id, body_sha256, route, answered_at DESC, opened_at)',
};

/**
 * Why: answered requests stay in the table for fifteen minutes, so a client that sends one body again and again has as many equal rows
 * as it sends requests in that time. Each request read all of them; in the order of this index it reads the one that it joins. The
 * index has the columns of the former one in front, so it serves the builds before this one. Lock: none that a statement waits for.
 * Repeatable as a whole. Way back: build the former index, and drop this one.
 */
export class IndexRequestsToJoin1795424760000 implements MigrationInterface {
  name = 'IndexRequestsToJoin1795424760000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, AFTER);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BEFORE.name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, BEFORE);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${AFTER.name}`);
  }
}
