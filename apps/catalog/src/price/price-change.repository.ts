import { Injectable } from '@nestjs/common';
import type { PriceChange } from '@kinora/contracts/catalog/catalog.rpc';
import { columnsOf, Database, type RowOf, statement } from '@kinora/database';
import { PriceChangeEntity } from './price-change.entity';

const COLUMNS = columnsOf(
  PriceChangeEntity,
  ...(['id', 'model_id', 'price_group', 'per', 'micros', 'micros_by_size', 'factor_basis_points'] as const),
  ...(['effective_from', 'created_at', 'actor', 'reason'] as const),
);
export type PriceChangeRow = RowOf<typeof COLUMNS>;
export type NewPriceChange = Omit<PriceChangeRow, 'id' | 'effective_from' | 'created_at'> & { from: string | null };

/** One row of each pair, however long its history is. */
const LIST_IN_FORCE = statement(
  'price_change_list_in_force',
  `SELECT begun.* FROM unnest($1::text[], $2::text[]) AS wanted (model_id, price_group), LATERAL (
     SELECT ${COLUMNS.sql} FROM price_change AS change
     WHERE change.model_id = wanted.model_id AND change.price_group = wanted.price_group AND effective_from <= now()
     ORDER BY effective_from DESC, id DESC LIMIT 1) AS begun`,
);
/** The clock of the database decides what is past, as it decides what is in force. */
const INSERT = statement(
  'price_change_insert',
  `INSERT INTO price_change (model_id, price_group, per, micros, micros_by_size, factor_basis_points, actor, reason, effective_from)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, begin FROM coalesce($9::timestamptz, now()) AS begin WHERE begin >= now()
   RETURNING ${COLUMNS.sql}`,
);
const LIST = statement(
  'price_change_list',
  `SELECT ${COLUMNS.sql} FROM price_change WHERE id < coalesce($1, 9223372036854775807) ORDER BY id DESC LIMIT $2`,
);
const LIST_OF_MODEL = statement(
  'price_change_list_of_model',
  `SELECT ${COLUMNS.sql} FROM price_change WHERE model_id = $3 AND id < coalesce($1, 9223372036854775807)
   ORDER BY model_id DESC, id DESC LIMIT $2`,
);
/** A group whose first factor has not begun exists already. */
const LIST_GROUPS = statement(
  'price_change_list_groups',
  `SELECT DISTINCT ON (price_group) ${COLUMNS.sql} FROM price_change WHERE model_id = ''
   ORDER BY price_group, (effective_from <= now()) DESC, effective_from DESC, id DESC`,
);
const FIND_GROUP = statement(
  'price_change_find_group',
  `SELECT id FROM price_change WHERE model_id = '' AND price_group = $1 LIMIT 1`,
);

/** What operators have set about prices. Every request reads the table, so a price takes effect at its time. */
@Injectable()
export class PriceChangeRepository {
  constructor(private readonly database: Database) {}

  /** Of the models for all accounts, and, with a group, of the models for it and of its factor. */
  listInForce(modelIds: string[], group: string | undefined): Promise<PriceChangeRow[]> {
    const pairs = modelIds.map((id) => [id, '']);
    if (group !== undefined) pairs.push(['', group], ...modelIds.map((id) => [id, group]));
    return this.database.query<PriceChangeRow>(LIST_IN_FORCE, [pairs.map(([id]) => id), pairs.map(([, of]) => of)]);
  }

  /** @returns null for a time that is past. */
  insert({ from, ...change }: NewPriceChange): Promise<PriceChangeRow | null> {
    const { model_id, price_group, per, micros, micros_by_size, factor_basis_points, actor, reason } = change;
    return this.database.findOne<PriceChangeRow>(INSERT, [
      ...[model_id, price_group, per, micros, JSON.stringify(micros_by_size), factor_basis_points, actor, reason, from],
    ]);
  }

  /** Those set last first. */
  list(modelId: string | undefined, beforeId: number | null, limit: number): Promise<PriceChangeRow[]> {
    if (modelId === undefined) return this.database.query<PriceChangeRow>(LIST, [beforeId, limit]);
    return this.database.query<PriceChangeRow>(LIST_OF_MODEL, [beforeId, limit, modelId]);
  }

  listGroups(): Promise<PriceChangeRow[]> {
    return this.database.query<PriceChangeRow>(LIST_GROUPS);
  }

  async hasGroup(group: string): Promise<boolean> {
    return (await this.database.findOne(FIND_GROUP, [group])) !== null;
  }
}

export function toPriceChange({ per: _per, ...row }: PriceChangeRow): PriceChange {
  const { model_id, price_group, effective_from, created_at, ...set } = row;
  return {
    ...set,
    model: model_id || null,
    price_group: price_group || null,
    effective_from: effective_from.toISOString(),
    created_at: created_at.toISOString(),
  };
}
