import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an output is recognised by what it shows, also after its metadata were stripped.
 * Lock: none, the table is new. Way back: drops it; outputs made until then are no longer recognised.
 */
export class AddFingerprints1795904160000 implements MigrationInterface {
  name = 'AddFingerprints1795904160000';

  async up(runner: QueryRunner): Promise<void> {
    // Without `fastupdate`: a look-up would read the list of pending entries, and some insert would have to merge it.
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
      CREATE INDEX fingerprint_by_band ON fingerprint USING gin (bands) WITH (fastupdate = off);
      CREATE INDEX fingerprint_by_time ON fingerprint (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fingerprint');
  }
}
