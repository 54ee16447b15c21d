import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an account sees what its receiver answered, and requests deliveries by its keys, whose number is bounded.
 * Lock: ACCESS EXCLUSIVE on each table for the moment in which a column without a default is added.
 * Way back: down(), which drops the answers, and with them who requested a delivery.
 */
export class KeepAnswers1795387680000 implements MigrationInterface {
  name = 'KeepAnswers1795387680000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN response_excerpt text');
    await runner.query('ALTER TABLE delivery ADD COLUMN requested_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN response_excerpt');
    await runner.query('ALTER TABLE delivery DROP COLUMN requested_by');
  }
}
