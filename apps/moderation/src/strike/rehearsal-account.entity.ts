import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that rehearses: a block of moderation's own test material is no strike of it. */
@Entity('rehearsal_account')
export class RehearsalAccountEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}
