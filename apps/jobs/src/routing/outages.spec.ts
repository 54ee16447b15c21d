import { Outages } from './outages';

describe('an outage of an instance', () => {
  it('blocks it until its tasks are polled, for ten seconds after its return at most', () => {
    const outages = new Outages();
    outages.begin('gpu-a', 0);
    outages.begin('gpu-a', 9_000);
    expect([outages.isBlocking('gpu-a', 9_999), outages.isBlocking('gpu-b', 9_999)]).toEqual([true, false]);
    expect([outages.isBlocking('gpu-a', 10_000), outages.has('gpu-a')]).toEqual([false, true]);
    outages.isBack('gpu-a', 60_000);
    expect([outages.isBlocking('gpu-a', 69_999), outages.isBlocking('gpu-a', 70_000)]).toEqual([true, false]);
    expect([outages.end('gpu-a'), outages.end('gpu-a'), outages.has('gpu-a')]).toEqual([true, false, false]);
  });

  it('does not begin with the return of an instance that has answered its polls', () => {
    const outages = new Outages();
    outages.isBack('gpu-a', 0);
    expect(outages.isBlocking('gpu-a', 1)).toBe(false);
  });
});
