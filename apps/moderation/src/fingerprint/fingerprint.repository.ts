import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { PerceptualHash } from '../image/perceptual-hash';
import type { AskedHash } from './asked-hash';
import { BANDS, bandsAround, bandSql, storedBitsOf } from './hash-bands';
import { isCopy, MAX_STRONG_BITS } from './is-copy';

export interface RecordedPicture {
  hash: PerceptualHash;
  luminances: Buffer;
}

/** The pictures of one file, as they are recorded. A file without one is recognised by its bytes alone. */
export interface RecordedFile {
  fileSha256: string;
  pictures: readonly RecordedPicture[];
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
  `INSERT INTO fingerprint (file_sha256, frame, perceptual_hash, bands, luminances, model)
   SELECT decode(file_sha256, 'hex'), frame, perceptual_hash::bit(256), bands::integer[], luminances, $6
     FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::bytea[])
       AS made (file_sha256, frame, perceptual_hash, bands, luminances)
   ON CONFLICT (file_sha256, frame) DO NOTHING`,
);

const FIND_FILE = statement(
  'fingerprint_find_file',
  `SELECT 0 AS distance_bits, model, created_at FROM fingerprint WHERE file_sha256 = decode($1, 'hex') LIMIT 1`,
);

/** Bounds the look-up where many outputs show the same; each of them would do. */
const MOST_OF_BAND = 2_000;
const MOST_NEAR = 500;

/** Parameters of the statement before those of the bands. */
const FIRST_BAND = 3;
const CANDIDATES = Array.from(
  { length: BANDS },
  (_, band) => `(SELECT perceptual_hash, luminances, model, created_at FROM fingerprint
                  WHERE ${bandSql(band)} = ANY ($${band + FIRST_BAND}::integer[]) LIMIT ${MOST_OF_BAND})`,
);

/**
 * Outputs that agree with an asked hash in one band, and differ in few of its strong bits. One statement for all pictures of a video, which
 * have most values of their bands in common.
 */
const FIND_NEAR = statement(
  'fingerprint_find_near',
  `SELECT bit_count((perceptual_hash # hash) & strong)::integer AS strong_bits, bit_count(perceptual_hash # hash)::integer AS distance_bits,
          asked.number::integer - 1 AS asked, luminances, model, created_at
     FROM (${CANDIDATES.join(' UNION ALL ')}) AS known
     JOIN unnest($1::bit(256)[], $2::bit(256)[]) WITH ORDINALITY AS asked (hash, strong, number)
       ON bit_count((perceptual_hash # hash) & strong) <= ${MAX_STRONG_BITS}
    ORDER BY 1, 2, created_at LIMIT ${MOST_NEAR}`,
);

interface NearOutput extends KnownOutput {
  strong_bits: number;
  asked: number;
  luminances: Buffer | null;
}

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
    const rows = files.flatMap(({ fileSha256, pictures }) =>
      (pictures.length === 0 ? [null] : pictures).map((picture, frame) => ({ fileSha256, frame, picture })),
    );
    await this.database.execute(INSERT, [
      rows.map(({ fileSha256 }) => fileSha256),
      rows.map(({ frame }) => frame),
      rows.map(({ picture }) => picture && bitsOf(picture.hash)),
      rows.map(({ picture }) => `{${picture ? storedBitsOf(picture.hash).join(',') : ''}}`),
      rows.map(({ picture }) => picture && picture.luminances),
      model,
    ]);
  }

  /** The output with exactly these bytes. */
  findFile(sha256: string): Promise<KnownOutput | null> {
    return this.database.findOne<KnownOutput>(FIND_FILE, [sha256]);
  }

  async findCopied(asked: readonly AskedHash[]): Promise<KnownOutput | null> {
    const near = await this.database.query<NearOutput>(FIND_NEAR, [
      asked.map(({ hash }) => bitsOf(hash)),
      asked.map(({ strong }) => bitsOf(strong)),
      ...bandsAround(asked),
    ]);
    const found = near.find(({ strong_bits: strongBits, luminances: known, asked: place }) => {
      const picture = asked[place];
      return picture !== undefined && isCopy({ strongBits, known, asked: picture.luminances });
    });
    return found ?? null;
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
