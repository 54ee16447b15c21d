import { isReached } from '../goals';
import { verdictOf } from './soak-verdict';
import type { SoakWindow } from './soak-window';

const QUIET: SoakWindow = {
  ...{ minutes: 1, accepted: 9_000, errors: 0, p50Ms: 4, p99Ms: 20, webhookP50Ms: 10, webhookP99Ms: 60 },
  ...{ outboxP99Ms: 15, queuedSeconds: 0, overdueSeconds: 0, memoryMb: { jobs: 150, gateway: 120 } },
};

/** Half an hour, with the recorded values of each minute. */
function halfHour(of: (minute: number) => Partial<SoakWindow>): SoakWindow[] {
  return Array.from({ length: 30 }, (_, minute) => ({ ...QUIET, minutes: minute + 1, ...of(minute) }));
}

function missed(windows: SoakWindow[], missingWebhooks = 0): string[] {
  return verdictOf(windows, missingWebhooks)
    .filter((goal) => !isReached(goal))
    .map(({ what }) => what);
}

describe('verdict of a soak', () => {
  it('passes a run with stable figures, also where its first third was cold', () => {
    expect(
      missed(halfHour((minute) => (minute < 10 ? { p99Ms: 200, memoryMb: { jobs: 90, gateway: 80 } } : {}))),
    ).toEqual([]);
  });

  it('names the one process whose memory grows', () => {
    const creeping = halfHour((minute) => ({ memoryMb: { jobs: 150 + 3 * minute, gateway: 120 } }));
    expect(missed(creeping)).toEqual(['memory of jobs stays']);
  });

  it('tolerates one slow minute, but not a latency that grows', () => {
    expect(missed(halfHour((minute) => (minute === 25 ? { p99Ms: 400 } : {})))).toEqual([]);
    expect(missed(halfHour((minute) => ({ p99Ms: 20 + 2 * minute })))).toEqual(['accept p99 stays']);
  });

  it('tolerates no minute with a late outbox, no failed create and no missing webhook', () => {
    const bad = halfHour((minute) => (minute === 12 ? { outboxP99Ms: 2_500, errors: 1 } : {}));
    expect(missed(bad, 1)).toEqual(['outbox age p99', 'creates that failed', 'webhooks that are missing']);
  });

  it('has windows to compare also in the shortest run', () => {
    const short = halfHour((minute) => ({ webhookP99Ms: 60 + 10 * minute })).slice(0, 12);
    expect(missed(short)).toEqual(['webhook p99 stays']);
  });
});
