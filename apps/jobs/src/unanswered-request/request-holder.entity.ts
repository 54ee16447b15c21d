import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lease of a gateway process that holds requests open. Requests of a holder whose lease has expired count as released. */
@Entity('request_holder')
export class RequestHolderEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  alive_until!: Date;
}
