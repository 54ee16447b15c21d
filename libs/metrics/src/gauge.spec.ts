import { register } from 'prom-client';
import { Gauge } from './gauge';

const linesOf = async (name: string): Promise<string[]> =>
  (await register.getSingleMetricAsString(name)).split('\n').filter((line) => line.startsWith(name));

describe('gauge', () => {
  it('has no value before it is set and after it was reset, since 0 would be a value', async () => {
    const debt = new Gauge({ name: 'debt', help: 'Debt.' });
    expect(await linesOf('debt')).toEqual([]);
    debt.set(0);
    expect(await linesOf('debt')).toEqual(['debt 0']);
    debt.reset();
    expect(await linesOf('debt')).toEqual([]);
  });

  it('does so with labels as well', async () => {
    const debts = new Gauge({ name: 'debts', help: 'Debts.', labelNames: ['of'] });
    debts.set({ of: 'a' }, 2);
    expect(await linesOf('debts')).toEqual(['debts{of="a"} 2']);
    debts.reset();
    expect(await linesOf('debts')).toEqual([]);
  });
});
