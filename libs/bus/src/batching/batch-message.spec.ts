import { readBatchItem, toBatchItem } from './batch-message';

const CONTRACT_MS = 2_000;

describe('a request of a batch', () => {
  const item = { request: { id: 1 }, timeout_ms: 500, request_id: 'req_1', account_id: 'ada' };

  it.each([2_001, 60_000, 1e12, 0, -5, Number.MAX_SAFE_INTEGER])(
    'has no more time than its contract allows, whatever deadline the sender states: %s',
    (timeout_ms) => {
      const call = readBatchItem({ ...item, timeout_ms }, CONTRACT_MS)?.call;
      const left = (call?.deadlineAtMs ?? 0) - performance.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(CONTRACT_MS);
    },
  );

  it('arrives with its own call context, and with the time that the call has left', () => {
    const call = { requestId: 'req_"1"', accountId: 'ada', deadlineAtMs: 0 };
    const ask = { key: 'ada', timeoutMs: 2_000, timeoutError: () => new Error('late') };
    const sent = toBatchItem({ ...ask, requestJson: '{"id":1}', call, traceparent: '00-a-b-01' }, 499.2);
    const received = readBatchItem(JSON.parse(sent), CONTRACT_MS);
    expect(received).toMatchObject({
      request: { id: 1 },
      call: { requestId: 'req_"1"', accountId: 'ada' },
      traceparent: '00-a-b-01',
    });
    expect((received?.call.deadlineAtMs ?? 0) - performance.now()).toBeLessThanOrEqual(500);
  });

  it('is undefined if one of its parts has another type', () => {
    const odd = [null, 1, {}, { ...item, timeout_ms: '1' }, { ...item, account_id: 1 }, { ...item, traceparent: null }];
    expect(odd.map((each) => readBatchItem(each, CONTRACT_MS))).toEqual(odd.map(() => undefined));
  });
});
