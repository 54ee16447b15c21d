import { decideNextStep } from './delivery-attempt';

describe('the step after an attempt', () => {
  const refused = { response_status: 503, error: 'not_acknowledged', latency_ms: 4 } as const;
  const acknowledged = { response_status: 204, error: null, latency_ms: 4 };

  it('is another attempt after 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours, and then none', () => {
    const steps = Array.from({ length: 6 }, (_, before) => decideNextStep(before, refused));
    expect(steps.map(({ retryAfterMs }) => retryAfterMs && retryAfterMs / 60_000)).toEqual([1, 5, 30, 120, 360, null]);
    expect(steps.map(({ status }) => status)).toEqual([...Array<string>(5).fill('pending'), 'exhausted']);
  });

  it.each([0, 5])('is none after an acknowledgement that followed %i failures', (before) => {
    expect(decideNextStep(before, acknowledged)).toEqual({ status: 'delivered', retryAfterMs: null });
  });
});
