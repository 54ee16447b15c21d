import { WakeUp } from './wake-up';

describe('wake-up', () => {
  it('calls every subscriber of the named loop and of no other one, each time', () => {
    const wakeUp = new WakeUp<'dispatch' | 'collect'>();
    const calls: string[] = [];
    wakeUp.subscribe('dispatch', () => calls.push('first'));
    wakeUp.subscribe('dispatch', () => calls.push('second'));
    wakeUp.subscribe('collect', () => calls.push('collect'));
    wakeUp.notify('dispatch');
    wakeUp.notify('dispatch');
    expect(calls).toEqual(['first', 'second', 'first', 'second']);
  });

  it('does nothing while no loop has subscribed', () => {
    expect(() => new WakeUp<'dispatch'>().notify('dispatch')).not.toThrow();
  });
});
