import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { OperatorUserEntity } from './operator-user.entity';

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
