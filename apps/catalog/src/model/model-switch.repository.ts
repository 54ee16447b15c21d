import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

const LIST_DISABLED = statement('model_switch_list_disabled', 'SELECT model_id FROM model_switch WHERE NOT enabled');

const IS_DISABLED = statement(
  'model_switch_is_disabled',
  'SELECT EXISTS (SELECT FROM model_switch WHERE model_id = $1 AND NOT enabled) AS disabled',
);

const SET = statement(
  'model_switch_set',
  `INSERT INTO model_switch (model_id, enabled) VALUES ($1, $2)
   ON CONFLICT (model_id) DO UPDATE SET enabled = excluded.enabled, changed_at = now()`,
);

/** Which models an operator has switched off. Read at every question: a switch is in force as soon as it is set. */
@Injectable()
export class ModelSwitchRepository {
  constructor(private readonly database: Database) {}

  async listDisabled(): Promise<Set<string>> {
    const rows = await this.database.query<{ model_id: string }>(LIST_DISABLED);
    return new Set(rows.map(({ model_id }) => model_id));
  }

  async isDisabled(modelId: string): Promise<boolean> {
    const row = await this.database.findOne<{ disabled: boolean }>(IS_DISABLED, [modelId]);
    return row?.disabled ?? false;
  }

  async set(modelId: string, enabled: boolean): Promise<void> {
    await this.database.execute(SET, [modelId, enabled]);
  }
}
