import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Role } from './permissions';

/** A person who runs the service. Rows are disabled and never deleted, because the audit trail names them. */
@Entity('operator_user')
@Check('operator_user_role_check', `role IN ('owner', 'finance', 'support', 'viewer')`)
@Check('operator_user_email_is_lower', 'email = lower(email)')
@Index('operator_user_email', ['email'], { unique: true })
@Index('operator_user_subject', ['subject'], { unique: true, where: 'subject IS NOT NULL' })
export class OperatorUserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  @Column('text')
  role!: Role;

  /** As `hashPassword` writes it; null until the setup link was used, and for users of the identity provider. */
  @Column('text', { nullable: true })
  password!: string | null;

  /** Issuer and subject at the identity provider; null for a local user. */
  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  disabled_at!: Date | null;
}

/** A link by which an operator sets the first password. It works once. */
@Entity('setup_link')
@Check('setup_link_id_is_a_hash', 'octet_length(id) = 32')
@Index('setup_link_of_user', ['user_id'])
export class SetupLinkEntity {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  @Column('uuid')
  user_id!: string;

  @ManyToOne(() => OperatorUserEntity)
  @JoinColumn({ name: 'user_id' })
  user?: OperatorUserEntity;

  @Column('timestamptz')
  expires_at!: Date;
}
