import { Injectable } from '@nestjs/common';
import { isRFC3339 } from 'class-validator';
import type { PriceChange, SetPriceFactorRequest, SetPriceRequest } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isStorableText } from '@kinora/contracts/shared/texts';
import { Catalog } from '../catalog/catalog';
import { findPriceProblem } from '../catalog/find-model-problem';
import { MAX_MICROS, MODEL_ID } from '../catalog/model-definition';
import { ModelPrices } from '../price/model-prices';
import { type NewPriceChange, PriceChangeRepository, toPriceChange } from '../price/price-change.repository';
import { FACTOR_ONE } from '../price/unit-price';

const MAX_FACTOR = 10 * FACTOR_ONE;
const MAX_TEXT = 500;

/** Sets prices from a time on. A price that was set for later stays: it replaces this one when it begins. */
@Injectable()
export class SetPrice {
  constructor(
    private readonly catalog: Catalog,
    private readonly prices: ModelPrices,
    private readonly changes: PriceChangeRepository,
  ) {}

  /** @throws ApiError not_found, invalid_body */
  async ofModel({
    model: id,
    price_group,
    micros,
    micros_by_size = {},
    ...rest
  }: SetPriceRequest): Promise<PriceChange> {
    const model = this.catalog.findModel(id);
    if (!model) throw new ApiError('not_found', `There is no model ${id}.`, { param: 'model' });
    await this.prices.assertGroup(price_group);
    if (micros !== null) assertWithin('micros', micros, MAX_MICROS);
    const { price } = model;
    const problem = findPriceProblem({ ...model, price: { ...price, micros_by_size } });
    if (problem) throw invalid('micros_by_size', `without ${problem.path.at(-1)}: each ${problem.rule}`);
    return this.insert({
      ...{ model_id: id, price_group: price_group ?? '', per: price.per, micros, micros_by_size },
      ...{ factor_basis_points: null, ...operatorOf(rest) },
    });
  }

  /** @throws ApiError invalid_body */
  async ofGroup({ price_group, factor_basis_points, ...rest }: SetPriceFactorRequest): Promise<PriceChange> {
    if (!MODEL_ID.test(price_group)) throw invalid('price_group', `a name such as resellers (${MODEL_ID.source})`);
    assertWithin('factor_basis_points', factor_basis_points, MAX_FACTOR);
    return this.insert({
      ...{ model_id: '', price_group, per: null, micros: null, micros_by_size: {} },
      ...{ factor_basis_points, ...operatorOf(rest) },
    });
  }

  private async insert(change: NewPriceChange): Promise<PriceChange> {
    const row = await this.changes.insert(change);
    if (!row) throw invalid('from', 'now or later: what was charged before stays');
    return toPriceChange(row);
  }
}

function operatorOf({ from, actor, reason }: Pick<SetPriceRequest, 'from' | 'actor' | 'reason'>) {
  for (const [field, text] of Object.entries({ actor, reason }))
    if (text !== undefined && !isStorableText(text, { min: 1, max: MAX_TEXT }))
      throw invalid(field, `a text of 1 to ${MAX_TEXT} characters`);
  if (from !== undefined && (!isRFC3339(from) || Number.isNaN(Date.parse(from))))
    throw invalid('from', 'a time such as 2026-12-31T23:59:59Z');
  return { from: from ?? null, actor: actor ?? null, reason: reason ?? null };
}

function assertWithin(field: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max) throw invalid(field, `a whole number from 0 to ${max}`);
}

function invalid(field: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${field} must be ${rule}.`, { param: field });
}
