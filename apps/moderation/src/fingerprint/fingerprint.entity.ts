import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A picture that an output of this service shows: an image, or a frame of a video. Names neither job nor account, and outlives the
 * file.
 */
@Entity('fingerprint')
@Check('fingerprint_is_of_sha256', 'octet_length(file_sha256) = 32')
@Check('fingerprint_is_found_by_bands', '(perceptual_hash IS NULL) = (cardinality(bands) = 0)')
@Index('fingerprint_by_time', ['created_at'])
@Index('fingerprint_by_long_band_1', { synchronize: false })
@Index('fingerprint_by_long_band_2', { synchronize: false })
@Index('fingerprint_by_long_band_3', { synchronize: false })
@Index('fingerprint_by_long_band_4', { synchronize: false })
@Index('fingerprint_by_long_band_5', { synchronize: false })
@Index('fingerprint_by_long_band_6', { synchronize: false })
@Index('fingerprint_by_long_band_7', { synchronize: false })
@Index('fingerprint_by_long_band_8', { synchronize: false })
@Index('fingerprint_by_long_band_9', { synchronize: false })
export class FingerprintEntity {
  /** Of the file as it is stored. */
  @PrimaryColumn('bytea')
  file_sha256!: Buffer;

  /** The number of the picture among those of the file, from 0. */
  @PrimaryColumn('integer')
  frame!: number;

  /** Null for a file without a picture that could be recognised, such as a blank sheet. */
  @Column({ type: 'bit', length: 256, nullable: true })
  perceptual_hash!: string | null;

  /** The bits of the hash by frequency, of which the indices have bands. */
  @Column('integer', { array: true })
  bands!: number[];

  /** Of 16 fields of the picture. Null where there is none, or where an earlier version has recorded it. */
  @Column('bytea', { nullable: true })
  luminances!: Buffer | null;

  /** Null where a jobs service of an earlier version asked for the verdict. */
  @Column('text', { nullable: true })
  model!: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;
}
