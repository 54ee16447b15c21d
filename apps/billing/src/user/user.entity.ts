import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { LinkPurpose, MemberRole } from '@kinora/contracts/billing/users.rpc';
import { AccountEntity } from '../account/account.entity';

/** A person with a proven e-mail address. */
@Entity('customer_user')
@Index('customer_user_by_email', ['email'], { unique: true })
@Index('customer_user_by_subject', ['subject'], { unique: true, where: 'subject IS NOT NULL' })
@Check('customer_user_has_whole_password', '(password_salt IS NULL) = (password_hash IS NULL)')
export class CustomerUserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  /** `scrypt$N$r$p$salt`. */
  @Column('text', { nullable: true })
  password_salt!: string | null;

  /** SHA-256 of what scrypt derives, so that a stolen row signs in nowhere. */
  @Column('bytea', { nullable: true })
  password_hash!: Buffer | null;

  /** Issuer and subject at an identity provider; null without one. */
  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}

@Entity('account_member')
@Index('account_member_of_user', ['user_id', 'created_at'])
@Check('account_member_role_check', `role IN ('owner', 'billing', 'developer', 'viewer')`)
export class AccountMemberEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @ForeignKey(() => CustomerUserEntity)
  @PrimaryColumn('uuid')
  user_id!: string;

  @Column('text')
  role!: MemberRole;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}

/** A link of an e-mail, which proves the address. It works once. */
@Entity('user_link')
@Index('user_link_to_email', ['email', 'created_at'])
@Index('user_link_to_domain', ['domain', 'created_at'])
@Index('user_link_of_account', ['account_id', 'created_at'], { where: 'account_id IS NOT NULL' })
@Index('user_link_by_expiry', ['expires_at'])
@Check('user_link_purpose_check', `purpose IN ('sign_up', 'reset', 'invitation')`)
@Check('user_link_role_check', `role IN ('owner', 'billing', 'developer', 'viewer')`)
@Check('user_link_token_is_a_hash', 'octet_length(token_hash) = 32')
@Check('user_link_of_invitation', `(purpose = 'invitation') = (account_id IS NOT NULL AND role IS NOT NULL)`)
export class UserLinkEntity {
  /** SHA-256 of the token, which is stored nowhere. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column('text')
  purpose!: LinkPurpose;

  @Column('text')
  email!: string;

  /** By which sign-ups are limited. */
  @Column('text')
  domain!: string;

  /** Of an invitation; null for other links, as is the next. */
  @ForeignKey(() => AccountEntity)
  @Column('uuid', { nullable: true })
  account_id!: string | null;

  @Column('text', { nullable: true })
  role!: MemberRole | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz')
  expires_at!: Date;

  /** When it was used or withdrawn. */
  @Column('timestamptz', { nullable: true })
  used_at!: Date | null;
}

/** A person who has had the credit of a sign-up. */
@Entity('sign_up_credit')
export class SignUpCreditEntity {
  /** Of the address without tags and dots; it outlives the user. */
  @PrimaryColumn('bytea')
  address_hash!: Buffer;

  @ForeignKey(() => AccountEntity)
  @Column('uuid')
  account_id!: string;
}
