import { buildIndex } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SHORT_BANDS = 12;
/** Of 24 bits, from numbers of 20. */
const LONG_BANDS = [
  '(bands[1] >> 0) | (bands[2] << 20)',
  '(bands[2] >> 4) | (bands[3] << 16)',
  '(bands[3] >> 8) | (bands[4] << 12)',
  '(bands[4] >> 12) | (bands[5] << 8)',
  '(bands[5] >> 16) | (bands[6] << 4)',
  '(bands[7] >> 0) | (bands[8] << 20)',
  '(bands[8] >> 4) | (bands[9] << 16)',
  '(bands[9] >> 8) | (bands[10] << 12)',
  '(bands[10] >> 12) | (bands[11] << 8)',
];

/**
 * Why: among ten million hashes, a look-up by bands of 20 bits reads two thousand candidates, and by bands of 24 bits a hundred.
 * Lock: none, the indices are built while outputs are recorded. Until then, and for the version before, the check reads the whole
 * table. Way back: down() builds the former indices.
 */
export class LengthenBands1795950960000 implements MigrationInterface {
  name = 'LengthenBands1795950960000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [at, band] of LONG_BANDS.entries())
      await buildIndex(runner, {
        name: `fingerprint_by_long_band_${at + 1}`,
        definition: `ON fingerprint (((${band}) & 16777215))`,
      });
    // The planner knows nothing about an expression before it was sampled.
    await runner.query('ANALYZE fingerprint');
    for (let band = 1; band <= SHORT_BANDS; band++)
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS fingerprint_by_band_${band}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (let band = 1; band <= SHORT_BANDS; band++)
      await buildIndex(runner, {
        name: `fingerprint_by_band_${band}`,
        definition: `ON fingerprint ((bands[${band}]))`,
      });
    for (const at of LONG_BANDS.keys())
      await runner.query(`DROP INDEX CONCURRENTLY fingerprint_by_long_band_${at + 1}`);
  }
}
