import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobInput } from '@kinora/contracts/jobs/job';
import { listPriceOf, totalOf } from './price';

const modelAt = (price: Partial<ResolvedModel['price']>): ResolvedModel =>
  ({ price: { micros: 20_000, per: 'image', micros_by_size: {}, ...price } }) as ResolvedModel;

const priceOf = (...of: Parameters<typeof listPriceOf>) => totalOf(listPriceOf(...of));
const input = { prompt: 'a', size: '1024x1024', n: 1, seed: 1 } as JobInput;

describe('the price of a job', () => {
  it('is the price of one image times the number of images', () => {
    expect(priceOf(modelAt({}), { ...input, n: 3 })).toBe(60_000);
  });

  it('is the price of the size if the catalog has one, also zero', () => {
    const model = modelAt({ micros_by_size: { '1024x1024': 35_000, '512x512': 0 } });
    expect(priceOf(model, { ...input, n: 2 })).toBe(70_000);
    expect(priceOf(model, { ...input, size: '512x512' })).toBe(0);
    expect(priceOf(model, { ...input, size: '768x768' })).toBe(20_000);
  });

  it('is the price of one second times the seconds of a video', () => {
    const model = modelAt({ micros: 50_000, per: 'second' });
    expect(priceOf(model, { ...input, size: '832x480', duration: 8 })).toBe(400_000);
  });
});
