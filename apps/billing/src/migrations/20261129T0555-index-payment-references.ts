import { buildIndex } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a dispute names the charge, and each of its events would read all payments.
 * Lock: none, the index is built while payments go on. Way back: down().
 */
export class IndexPaymentReferences1795931700000 implements MigrationInterface {
  name = 'IndexPaymentReferences1795931700000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'payment_of_reference',
      definition: 'ON payment (reference) WHERE reference IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY payment_of_reference');
  }
}
