import type { MigrationInterface, QueryRunner } from 'typeorm';

const BANDS = 12;

/**
 * Why: an output is recognised by what it shows, also after its metadata were stripped.
 * Lock: none, the table is new. Way back: drops it; outputs made until then are no longer recognised.
 */
export class AddFingerprints1795904160000 implements MigrationInterface {
  name = 'AddFingerprints1795904160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fingerprint (
        file_sha256 bytea NOT NULL,
        frame integer NOT NULL,
        perceptual_hash bit(256),
        bands integer[] NOT NULL,
        model text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (file_sha256, frame),
        CONSTRAINT fingerprint_is_of_sha256 CHECK (octet_length(file_sha256) = 32),
        CONSTRAINT fingerprint_is_found_by_bands CHECK ((perceptual_hash IS NULL) = (cardinality(bands) = 0))
      ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
      CREATE INDEX fingerprint_by_time ON fingerprint (created_at)`);
    // Not one index of all values (GIN): PostgreSQL then compares every candidate with all asked values, which takes thirty times as long.
    for (let band = 1; band <= BANDS; band++)
      await runner.query(`CREATE INDEX fingerprint_by_band_${band} ON fingerprint ((bands[${band}]))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fingerprint');
  }
}
