import { parseCrashOrder } from './crash-point';

describe('crash order', () => {
  it.each([
    ['outbox.published', { point: 'outbox.published', time: 1 }],
    ['outbox.published:3\n', { point: 'outbox.published', time: 3 }],
    ['outbox.lost', null],
    ['outbox.published:0', null],
    ['', null],
  ])('reads %j', (text, order) => {
    expect(parseCrashOrder(text)).toEqual(order);
  });
});
