import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A creating request without an Idempotency-Key. A resent one joins it within 15 minutes, and thereby its job. Once its answer is
 * sent, only a request that is marked as a repeat joins it.
 */
@Entity('unanswered_request')
// (api_key_id, body_sha256, route, answered_at DESC, opened_at): the order in which a repeat joins equal requests.
@Index('unanswered_request_to_join', { synchronize: false })
@Index('unanswered_request_by_age', ['opened_at'])
@Index('unanswered_request_by_token', ['token'], { unique: true })
export class UnansweredRequestEntity {
  /** Part of the Idempotency-Key that the request is created under. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  api_key_id!: string;

  @Column('text')
  route!: string;

  /** Hash of the body as it was received. */
  @Column('text')
  body_sha256!: string;

  /** The sending that holds the request. An earlier sending has another token, and its end changes nothing. */
  @Column('uuid')
  token!: string;

  /** The gateway process that holds the request, while `released_at` is null. */
  @Column('uuid')
  holder_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  opened_at!: Date;

  /** When its client was gone without an answer. */
  @Column('timestamptz', { nullable: true })
  released_at!: Date | null;

  /** When the gateway had sent the whole answer. It cannot know that the client has received it. */
  @Column('timestamptz', { nullable: true })
  answered_at!: Date | null;
}
