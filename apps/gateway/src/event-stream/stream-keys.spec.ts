import { ApiError } from '@kinora/contracts/shared/errors';
import { ADMISSION } from '../fixtures/contexts.fixtures';
import type { ApiKeys } from '../http/api-keys';
import { StreamKeys } from './stream-keys';

const ACCOUNT = ADMISSION.account_id;

describe('the streams of a key', () => {
  const find = jest.fn<ReturnType<ApiKeys['find']>, Parameters<ApiKeys['find']>>();
  let keys: StreamKeys;
  let ended: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    find.mockReset().mockResolvedValue(ADMISSION);
    keys = new StreamKeys({ find } as unknown as ApiKeys);
    ended = [];
  });
  afterEach(() => jest.useRealTimers());

  const watch = (keySha256: string, accountId = ACCOUNT) =>
    keys.watch({ keySha256, accountId }, () => void ended.push(keySha256));

  it('end within fifteen seconds once the key has expired, and those of other keys do not', async () => {
    for (const key of ['expired', 'expired', 'valid']) watch(key);
    find.mockImplementation((key) => Promise.resolve(key === 'expired' ? null : ADMISSION));
    await jest.advanceTimersByTimeAsync(15_000);
    expect(ended).toEqual(['expired', 'expired']);
    expect(find.mock.calls.map(([key, { tokens }]) => [key, tokens])).toEqual([
      ['expired', 0],
      ['valid', 0],
    ]);
  });

  it('are checked at once, and once for many signals, where keys of their account have changed', async () => {
    watch('mine');
    watch('theirs', 'another account');
    for (let signal = 0; signal < 50; signal += 1) keys.recheck(ACCOUNT);
    await jest.advanceTimersByTimeAsync(500);
    expect(find.mock.calls.map(([key]) => key)).toEqual(['mine']);
    keys.recheck(ACCOUNT);
    await jest.advanceTimersByTimeAsync(500);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('stay open while the key cannot be checked', async () => {
    watch('mine');
    find.mockRejectedValue(ApiError.unavailable('The check of API keys'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect([find.mock.calls.length, ended]).toEqual([4, []]);
  });

  it('cost no check once they are closed', async () => {
    for (const close of [watch('mine'), watch('mine')]) close();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(find).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });
});
