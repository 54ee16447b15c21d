import { BaselineMigration } from '@kinora/database/without-nest';

/** Models are defined in files; a row is needed only for a model that an operator switches at run time. */
const MODEL_SWITCH = `
  CREATE TABLE model_switch (
    model_id text PRIMARY KEY,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
  )`;

/**
 * Why: the models that an operator has switched.
 * Lock: none, the table is new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'CreateModelSwitch1795165200000';
  protected readonly schema = [MODEL_SWITCH];
}
