import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { PerceptualHash } from '../image/perceptual-hash';
import type { AskedHash } from './asked-hash';
import { bandsAround, bandsOf } from './hash-bands';

/** The pictures of one file, as they are recorded. A file without one is recognised by its bytes alone. */
export interface RecordedFile {
  fileSha256: string;
  hashes: readonly PerceptualHash[];
}

/** A record of the registry that is like the asked file. */
export interface KnownOutput {
  /** In how many of 256 bits the two hashes differ. */
  distance_bits: number;
  model: string | null;
  created_at: Date;
}

/** A repeated screening records the same file again. */
const INSERT = statement(
  'fingerprint_insert',
  `INSERT INTO fingerprint (file_sha256, frame, perceptual_hash, bands, model)
   SELECT decode(file_sha256, 'hex'), frame, perceptual_hash::bit(256), bands::integer[], $5
     FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[]) AS made (file_sha256, frame, perceptual_hash, bands)
   ON CONFLICT (file_sha256, frame) DO NOTHING`,
);

const FIND_FILE = statement(
  'fingerprint_find_file',
  `SELECT 0 AS distance_bits, model, created_at FROM fingerprint WHERE file_sha256 = decode($1, 'hex') LIMIT 1`,
);

/** An index of the values in arrays (GIN) can only be read by a bitmap scan. */
const ALLOW_BITMAP_SCAN = statement(
  'fingerprint_allow_bitmap_scan',
  `SELECT set_config('enable_bitmapscan', 'on', true)`,
);

/** Bounds the look-up where many outputs show the same; each of them would do. */
const MOST_CANDIDATES = 5_000;

/** Has no name, so that the plan is not one of a connection that was made without bitmap scans. */
const FIND_NEAR = statement(
  '',
  `SELECT bit_count(perceptual_hash # asked.hash)::integer AS distance_bits, model, created_at
     FROM (SELECT perceptual_hash, model, created_at FROM fingerprint
            WHERE bands && $1::integer[] LIMIT ${MOST_CANDIDATES}) AS candidate,
          unnest($2::bit(256)[], $3::bit(256)[]) AS asked (hash, strong)
    WHERE bit_count((perceptual_hash # asked.hash) & asked.strong) <= $4
    ORDER BY bit_count((perceptual_hash # asked.hash) & asked.strong), 1, created_at LIMIT 1`,
);

export const FINGERPRINTS_PRUNE_PAGE = 1_000;

const PRUNE = statement(
  'fingerprint_prune',
  `DELETE FROM fingerprint WHERE (file_sha256, frame) IN (
     SELECT file_sha256, frame FROM fingerprint WHERE created_at < statement_timestamp() - $1 * interval '1 day'
     ORDER BY created_at LIMIT ${FINGERPRINTS_PRUNE_PAGE})`,
);

/** The registry of what this service has made: hashes, times and models. */
@Injectable()
export class FingerprintRepository {
  constructor(private readonly database: Database) {}

  async record(files: readonly RecordedFile[], model: string | null): Promise<void> {
    const rows = files.flatMap(({ fileSha256, hashes }) =>
      (hashes.length === 0 ? [null] : hashes).map((hash, frame) => ({ fileSha256, frame, hash })),
    );
    await this.database.execute(INSERT, [
      rows.map(({ fileSha256 }) => fileSha256),
      rows.map(({ frame }) => frame),
      rows.map(({ hash }) => hash && bitsOf(hash)),
      rows.map(({ hash }) => `{${hash ? bandsOf(hash).join(',') : ''}}`),
      model,
    ]);
  }

  /** The output with exactly these bytes. */
  findFile(sha256: string): Promise<KnownOutput | null> {
    return this.database.findOne<KnownOutput>(FIND_FILE, [sha256]);
  }

  /** The output that is most like one of the asked pictures, if its strong bits differ in at most `maxDistanceBits`. */
  async findNear(asked: readonly AskedHash[], maxDistanceBits: number): Promise<KnownOutput | null> {
    const bands = [...new Set(asked.flatMap(bandsAround))];
    const values = [bands, asked.map(({ hash }) => bitsOf(hash)), asked.map(({ strong }) => bitsOf(strong))];
    return this.database.transaction(async (transaction) => {
      await transaction.execute(ALLOW_BITMAP_SCAN);
      return transaction.findOne<KnownOutput>(FIND_NEAR, [...values, maxDistanceBits]);
    });
  }

  /** Deletes a page of records that are older than this. @returns how many */
  prune(retentionDays: number): Promise<number> {
    return this.database.execute(PRUNE, [retentionDays]);
  }
}

/** The hash as PostgreSQL writes a bit string. */
function bitsOf(hash: PerceptualHash): string {
  return [...hash].map((word) => [...word.toString(2).padStart(32, '0')].reverse().join('')).join('');
}
