import { deadlineIn, runInCall } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { BatchedStatement } from './batched-statement';
import { statement } from './statement';

/** Returns the inverses of the numbers in their order; fails for a batch that contains a zero. */
const INVERT = statement(
  'spec_invert',
  'SELECT 1.0 / number AS inverse FROM unnest($1::integer[]) WITH ORDINALITY AS asked (number, place) ORDER BY place',
);

describe('a batched statement', () => {
  let test: TestDatabase;
  const batches: number[][] = [];

  beforeAll(async () => {
    test = await createTestDatabase('set-statement-spec', []);
  });
  beforeEach(() => void batches.splice(0));
  afterAll(() => test.close());

  const invert = async (numbers: number[]): Promise<number[]> => {
    batches.push(numbers);
    return (await test.database.query<{ inverse: string }>(INVERT, [numbers])).map(({ inverse }) => Number(inverse));
  };
  const inverting = (): BatchedStatement<number, number> => new BatchedStatement({ run: invert });

  it('runs once for all items that arrive together, and gives each its own result', async () => {
    const inverses = inverting();
    expect(await Promise.all([1, 2, 4, 5].map((number) => inverses.run(number)))).toEqual([1, 0.5, 0.25, 0.2]);
    expect(batches).toEqual([[1, 2, 4, 5]]);
  });

  it('runs at once for a single item', async () => {
    const inverses = inverting();
    expect(await inverses.run(2)).toBe(0.5);
    expect(await inverses.run(4)).toBe(0.25);
    expect(batches).toEqual([[2], [4]]);
  });

  it('fails only for the item that is wrong', async () => {
    const inverses = inverting();
    const outcomes = await Promise.allSettled([1, 0, 4].map((number) => inverses.run(number)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 0, 4], [1], [0], [4]]);
  });

  it('is not retried item by item if the database does not answer', async () => {
    const requested: number[][] = [];
    const away = new BatchedStatement<number, number>({
      run: (numbers) => {
        requested.push(numbers);
        return Promise.reject(ApiError.unavailable('The database'));
      },
    });
    const outcomes = await Promise.allSettled([1, 2].map((number) => away.run(number)));
    expect(outcomes).toMatchObject([{ reason: { code: 'capacity' } }, { reason: { code: 'capacity' } }]);
    expect(requested).toEqual([[1, 2]]);
  });

  it('collects items while two batches are under way, and skips items whose deadline has passed meanwhile', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gated = new BatchedStatement<number, number>({
      run: async (numbers) => {
        batches.push(numbers);
        await gate;
        return numbers;
      },
    });
    const first = Array.from({ length: 70 }, (_, number) => gated.run(number));
    await waitFor(() => batches.length === 2);
    const hurried = runInCall({ requestId: 'req_1', deadlineAtMs: deadlineIn(1) }, () => gated.run(70));
    const refused = expect(hurried).rejects.toMatchObject({ code: 'capacity' });
    const isOver = performance.now() + 2;
    await waitFor(() => performance.now() > isOver);
    open();
    await Promise.all([...first, refused]);
    expect(batches.map(({ length }) => length)).toEqual([32, 32, 6]);
  });

  it('runs in the call of a request it contains, ahead of background work', async () => {
    const inverses = inverting();
    let end: () => void = () => undefined;
    const untilEnd = new Promise<void>((resolve) => (end = resolve));
    const sweep = Array.from({ length: 50 }, () => test.database.transaction(() => untilEnd));
    const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(60_000) };
    expect(await Promise.all([inverses.run(2), runInCall(call, () => inverses.run(4))])).toEqual([0.5, 0.25]);
    end();
    await Promise.all(sweep);
  });
});
