import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { PerceptualHash } from '../image/perceptual-hash';
import type { AskedHash } from './asked-hash';
import { BANDS, bandsAround, bandsOf } from './hash-bands';

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

/** Bounds the look-up where many outputs show the same; each of them would do. */
const MOST_CANDIDATES = 5_000;

/** Parameters of the statement before those of the bands. */
const FIRST_BAND = 4;
const BAND_NUMBERS = Array.from({ length: BANDS }, (_, band) => band + 1);

const CANDIDATES = BAND_NUMBERS.map(
  (band) => `SELECT perceptual_hash, model, created_at FROM fingerprint
              WHERE bands[${band}] = ANY (band_${band}::integer[])`,
);
const ASKED_BANDS = BAND_NUMBERS.map((band) => `$${band - 1 + FIRST_BAND}::text[]`);

/**
 * An output that agrees with an asked hash in one band, and differs in few of its strong bits. The first hash with such an output ends
 * the loop, so that the pictures of a video cost one statement, and no more look-ups than are needed.
 */
const FIND_NEAR = statement(
  'fingerprint_find_near',
  `SELECT near.* FROM unnest($1::bit(256)[], $2::bit(256)[], ${ASKED_BANDS.join(', ')})
       AS asked (hash, strong, ${BAND_NUMBERS.map((band) => `band_${band}`).join(', ')})
    CROSS JOIN LATERAL (
      SELECT bit_count(perceptual_hash # hash)::integer AS distance_bits, model, created_at
        FROM (SELECT * FROM (${CANDIDATES.join(' UNION ALL ')}) AS found LIMIT ${MOST_CANDIDATES}) AS candidate
       WHERE bit_count((perceptual_hash # hash) & strong) <= $3
       ORDER BY bit_count((perceptual_hash # hash) & strong), 1, created_at LIMIT 1) AS near
   LIMIT 1`,
);

const FIND_FIRST_TIME = statement(
  'fingerprint_find_first_time',
  'SELECT created_at FROM fingerprint ORDER BY created_at LIMIT 1',
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

  /** The output that is most like the first of the asked pictures of which at most so many strong bits differ from one. */
  findNear(asked: readonly AskedHash[], maxDistanceBits: number): Promise<KnownOutput | null> {
    const bands = asked.map((one) => bandsAround(one).map((values) => `{${values.join(',')}}`));
    return this.database.findOne<KnownOutput>(FIND_NEAR, [
      asked.map(({ hash }) => bitsOf(hash)),
      asked.map(({ strong }) => bitsOf(strong)),
      maxDistanceBits,
      ...BAND_NUMBERS.map((band) => bands.map((ofOne) => ofOne[band - 1])),
    ]);
  }

  /** The time of the oldest record. */
  async findFirstTime(): Promise<Date | null> {
    const row = await this.database.findOne<{ created_at: Date }>(FIND_FIRST_TIME);
    return row?.created_at ?? null;
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
