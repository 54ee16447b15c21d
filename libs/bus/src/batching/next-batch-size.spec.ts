import { type BatchLoad, nextBatchSize } from './next-batch-size';

const limits = { maxItems: 32, maxBatches: 4 };
const sizeOf = (load: Partial<BatchLoad>): number =>
  nextBatchSize({ waiting: 0, underWay: 0, batches: 0, ...limits, ...load });

describe('the next batch of a pipeline', () => {
  it('is a lone item at once, also beside another one', () => {
    expect(sizeOf({ waiting: 1 })).toBe(1);
    expect(sizeOf({ waiting: 1, underWay: 1, batches: 1 })).toBe(1);
  });

  it('takes half of the items, so that a second batch keeps the next step busy', () => {
    expect(sizeOf({ waiting: 32 })).toBe(16);
    expect(sizeOf({ waiting: 16, underWay: 16, batches: 1 })).toBe(16);
  });

  it('waits until it is worth a batch of its own', () => {
    expect(sizeOf({ waiting: 7, underWay: 25, batches: 1 })).toBe(0);
    expect(sizeOf({ waiting: 8, underWay: 24, batches: 1 })).toBe(8);
    expect(sizeOf({ waiting: 32, underWay: 0, batches: 0 })).toBe(16);
  });

  it('has more beside it for more items, up to the limit', () => {
    expect(sizeOf({ waiting: 16, underWay: 16, batches: 2 })).toBe(0);
    expect(sizeOf({ waiting: 16, underWay: 32, batches: 2 })).toBe(16);
    expect(sizeOf({ waiting: 500, underWay: 96, batches: 3 })).toBe(32);
    expect(sizeOf({ waiting: 500, underWay: 128, batches: 4 })).toBe(0);
  });

  it('is the only one if the limit is one', () => {
    expect(sizeOf({ waiting: 20, maxBatches: 1 })).toBe(20);
    expect(sizeOf({ waiting: 20, underWay: 1, batches: 1, maxBatches: 1 })).toBe(0);
  });
});
