import type { KeyScope } from '@kinora/contracts/billing/key-scope';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** A link that signs a customer in to the console once. Its use deletes the row. */
@Entity('portal_link')
@Index('portal_link_of_account', ['account_id'])
@Index('portal_link_by_expiry', ['expires_at'])
@Check('portal_link_scope_check', `scope IN ('read', 'jobs', 'account')`)
@Check('portal_link_token_is_a_hash', 'octet_length(token_hash) = 32')
export class PortalLinkEntity {
  /** SHA-256 of the token, which is stored nowhere. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column('uuid')
  account_id!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

  /** Of the key that the link makes. */
  @Column('text')
  scope!: KeyScope;

  /** The operator who made the link; null if the request named none. */
  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz')
  expires_at!: Date;
}
