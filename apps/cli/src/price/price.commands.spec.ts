import { useCli } from '../../test/cli.fixtures';
import { FakeBilling, FakeCatalog, received } from '../../test/fakes.fixtures';

describe('kinora price', () => {
  const testBed = useCli(FakeBilling, FakeCatalog);
  const run = (line: string) => testBed.run(line);
  beforeEach(() => void (received.requests = []));

  it.each([
    [
      'price set ink --micros 20 --size 9x9=5 --size 8x8=0 --from 2027-01-01T00:00:00Z --price-group a',
      {
        model: 'ink',
        micros: 20,
        micros_by_size: { '9x9': 5, '8x8': 0 },
        from: '2027-01-01T00:00:00Z',
        price_group: 'a',
      },
      '--size must be without 9x9.',
    ],
    ['price reset ink', { model: 'ink', micros: null }, 'micros_by_size'],
    [
      'price group set a --factor 0.8005',
      { price_group: 'a', factor_basis_points: 8_005 },
      '--from must be now or later.',
    ],
    ['price group assign acc-1 a', { account_id: 'acc-1', price_group: 'a' }, 'no such account'],
    ['price group assign acc-1', { account_id: 'acc-1', price_group: null }, 'no such account'],
  ])('sets prices, and names the flag of what is refused: %s', async (line, request, problem) => {
    const { err } = await run(line);
    expect(received.requests).toEqual([{ ...request, actor: 'ada' }]);
    expect(err).toContain(problem);
  });

  it.each(['price group assign acc-1 unknown', 'price group set a --factor 0.80001', 'price set ink --micros 1.5'])(
    'changes nothing by %s',
    async (line) => {
      expect((await run(line)).exitCode).toBe(1);
      expect(received.requests).toEqual([]);
    },
  );
});
