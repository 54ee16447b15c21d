import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Half } from '../http/route-access';

/** A signed-in browser. The row cannot be used without the cookie, and ends with its deletion. */
@Entity('session')
@Index('session_of_account', ['account_id', 'created_at'], { where: 'account_id IS NOT NULL' })
@Index('session_of_user', ['user_id', 'created_at'], { where: 'user_id IS NOT NULL' })
@Index('session_by_expiry', ['expires_at'])
@Check('session_kind_check', `kind IN ('customer', 'operator')`)
@Check('session_id_is_a_hash', 'octet_length(id) = 32')
@Check(
  'session_of_customer',
  `(kind = 'customer') = (account_id IS NOT NULL AND credential IS NOT NULL AND scope IS NOT NULL)`,
)
@Check('session_of_operator', `(kind = 'operator') = (user_id IS NOT NULL)`)
export class SessionEntity {
  /** SHA-256 of the cookie. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  @Column('text')
  kind!: Half;

  /** Of customers; null for operators, as are the next five. */
  @Column('uuid', { nullable: true })
  account_id!: string | null;

  /** The API key that the session uses. */
  @Column('uuid', { nullable: true })
  api_key_id!: string | null;

  /** The first characters of that key, by which its owner recognises it. */
  @Column('text', { nullable: true })
  key_prefix!: string | null;

  @Column('text', { nullable: true })
  scope!: KeyScope | null;

  /** Whether a portal link opened the session; its key was made for it. */
  @Column('boolean', { default: false })
  is_portal!: boolean;

  /** The member who has signed in; null for a session of a key or a portal link, as are the next two. */
  @Column('uuid', { nullable: true })
  member_id!: string | null;

  @Column('text', { nullable: true })
  member_role!: MemberRole | null;

  @Column('text', { nullable: true })
  member_email!: string | null;

  /** The API key, sealed under a key that is derived from the cookie. */
  @Column('bytea', { nullable: true })
  credential!: Buffer | null;

  /** Of operators; null for customers, as is the next. */
  @Column('uuid', { nullable: true })
  user_id!: string | null;

  /** Until when the operator need not repeat the password for sensitive actions. */
  @Column('timestamptz', { nullable: true })
  confirmed_until!: Date | null;

  /** The client address of the sign-in. */
  @Column('text')
  address!: string;

  @Column('text')
  user_agent!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz')
  expires_at!: Date;
}
