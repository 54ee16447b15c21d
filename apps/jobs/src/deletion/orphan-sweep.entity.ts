import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The pass over the object store that searches for files without a job: one row, with the lease and the position of the pass. */
@Entity('orphan_sweep')
@Check('orphan_sweep_name_check', `name = 'object_store'`)
export class OrphanSweepEntity {
  @PrimaryColumn('text')
  name!: 'object_store';

  /** The process that holds the lease. */
  @Column('uuid', { nullable: true })
  holder!: string | null;

  @Column('timestamptz', { default: () => `'-infinity'` })
  leased_until!: Date;

  /** When the last pass began. */
  @Column('timestamptz', { default: () => `'-infinity'` })
  begun_at!: Date;

  /** The folder that the pass is in; null between two passes. */
  @Column('text', { nullable: true })
  folder!: string | null;

  /** The last key of the folder that was checked; null at its beginning. */
  @Column('text', { nullable: true })
  after_key!: string | null;
}
