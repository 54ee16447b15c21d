import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that may rehearse: a block of moderation's own test material adds no strike. */
@Entity('rehearsal_account')
export class RehearsalAccountEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}
