import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A public key that signs, has signed, or will sign receipts. A row stays after its private key was replaced, so that old receipts
 * can be verified.
 */
@Entity('receipt_key')
export class ReceiptKeyEntity {
  /** The thumbprint (RFC 7638). */
  @PrimaryColumn('text')
  kid!: string;

  /** The Ed25519 key in base64url. */
  @Column('text')
  x!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** When an operator withdrew it because its private half had leaked. */
  @Column('timestamptz', { nullable: true })
  withdrawn_at!: Date | null;
}
