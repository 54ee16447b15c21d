import { Injectable } from '@nestjs/common';
import type { PriceChange } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { PriceChangeRepository, toPriceChange } from '../price/price-change.repository';

const PAGE = 20;

/** What operators have set. */
@Injectable()
export class ListPrices {
  constructor(private readonly prices: PriceChangeRepository) {}

  /** Those set last first, also those that have not begun. @throws ApiError invalid_body */
  async changes({ model, cursor }: PageRequest & { model?: string }): Promise<PartialList<PriceChange>> {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
      throw new ApiError('invalid_body', 'cursor must be the next_cursor of the previous page.', { param: 'cursor' });
    const rows = await this.prices.list(model, cursor === undefined ? null : Number(cursor), PAGE + 1);
    const data = rows.slice(0, PAGE).map(toPriceChange);
    const has_more = rows.length > PAGE;
    return { data, has_more, next_cursor: has_more ? String(data.at(-1)?.id) : null };
  }

  async groups(): Promise<{ data: PriceChange[] }> {
    return { data: (await this.prices.listGroups()).map(toPriceChange) };
  }
}
