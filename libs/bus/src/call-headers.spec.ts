import { headers } from 'nats';
import { toCallContext, toHeaders } from './call-headers';

const CONTRACT_MS = 2_000;

function remainingMs(sent: string | undefined): number {
  const received = headers();
  if (sent !== undefined) received.set('Kinora-Timeout-Ms', sent);
  return toCallContext(received, CONTRACT_MS).deadlineAtMs - performance.now();
}

describe('the time that a call has left', () => {
  it('is that of its caller, if less than the timeout of the contract', () => {
    const caller = { call: undefined, traceparent: undefined };
    const left = toCallContext(toHeaders(caller, 700.2), CONTRACT_MS).deadlineAtMs - performance.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(701);
  });

  it.each(['2001', '60000', '1e12', 'Infinity'])('is never more than the timeout of the contract: %s', (sent) => {
    const left = remainingMs(sent);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(CONTRACT_MS);
  });

  it.each([undefined, '', '0', '-5', 'soon'])(
    'is the timeout of the contract if the caller states none: %s',
    (sent) => {
      // Far more than any deadline that the caller could state, so a pause of the machine does not matter.
      expect(remainingMs(sent)).toBeGreaterThan(0);
      expect(remainingMs(sent)).toBeLessThanOrEqual(CONTRACT_MS);
    },
  );
});
