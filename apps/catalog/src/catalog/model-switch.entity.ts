import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Whether an operator has disabled or re-enabled a model. Models are defined in files; a model without a row is enabled.
 */
@Entity('model_switch')
export class ModelSwitchEntity {
  @PrimaryColumn('text')
  model_id!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  changed_at!: Date;
}
