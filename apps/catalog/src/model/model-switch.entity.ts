import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model that an operator has switched off or on again. Models are defined in files; one without a row is enabled. */
@Entity('model_switch')
export class ModelSwitchEntity {
  @PrimaryColumn('text')
  model_id!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  changed_at!: Date;
}
