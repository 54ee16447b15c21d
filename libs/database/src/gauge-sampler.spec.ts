import { Gauge, register } from '@kinora/metrics';
import { createTestLog, waitFor } from '@kinora/testing';
import { GaugeSampler } from './gauge-sampler';

const EVERY_MS = 5;

describe('gauges sampled from the database', () => {
  const depth = new Gauge({ name: 'sampler_spec_depth', help: 'Depth.', labelNames: ['of'] });
  const linesOf = async (): Promise<string[]> =>
    (await register.getSingleMetricAsString('sampler_spec_depth')).split('\n').filter((line) => !line.startsWith('#'));

  it('show the last value that was read, and no value while the read fails', async () => {
    const log = createTestLog();
    const sampler = new GaugeSampler(log.logger);
    let rows: Record<string, number> | null = { a: 2, b: 1 };
    const read = async () => {
      if (!rows) throw new Error('the database is away');
      return Object.entries(rows).map(([of, value]) => ({ gauge: depth, labels: { of }, value }));
    };
    sampler.add({ name: 'depth', gauges: [depth], everyMs: EVERY_MS, read });
    sampler.onApplicationBootstrap();
    try {
      const a2 = 'sampler_spec_depth{of="a"} 2';
      await waitFor(async () => (await linesOf()).length === 2);
      expect(await linesOf()).toEqual([a2, 'sampler_spec_depth{of="b"} 1']);
      rows = { a: 2 };
      await waitFor(async () => (await linesOf()).length === 1);
      expect(await linesOf()).toEqual([a2]);
      rows = null;
      await waitFor(() => log.of('gauges_not_read').length > 0);
      expect(await linesOf()).toEqual([]);
      rows = { a: 3 };
      await waitFor(async () => (await linesOf()).length === 1);
      expect(await linesOf()).toEqual(['sampler_spec_depth{of="a"} 3']);
    } finally {
      await sampler.onModuleDestroy();
    }
  });
});
