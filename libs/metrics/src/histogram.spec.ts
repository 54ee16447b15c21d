import { register } from 'prom-client';
import { Histogram } from './histogram';
import { LiveGauge } from './gauge';

describe('histogram', () => {
  it('exports, for each label set, the observations in cumulative buckets', async () => {
    const waits = new Histogram({ name: 'wait_seconds', help: 'Waits.', labelNames: ['queue'], buckets: [1, 10] });
    const queue = waits.of({ queue: 'a"b' });
    for (const seconds of [0.5, 1, 4, 60]) queue.observe(seconds);
    waits.of({ queue: 'a"b' }).observe(2);
    waits.of({ queue: 'c' });
    expect((await register.getSingleMetricAsString('wait_seconds')).split('\n')).toEqual([
      '# HELP wait_seconds Waits.',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{queue="a\\"b",le="1"} 2',
      'wait_seconds_bucket{queue="a\\"b",le="10"} 4',
      'wait_seconds_bucket{queue="a\\"b",le="+Inf"} 5',
      'wait_seconds_sum{queue="a\\"b"} 67.5',
      'wait_seconds_count{queue="a\\"b"} 5',
      'wait_seconds_bucket{queue="c",le="1"} 0',
      'wait_seconds_bucket{queue="c",le="10"} 0',
      'wait_seconds_bucket{queue="c",le="+Inf"} 0',
      'wait_seconds_sum{queue="c"} 0',
      'wait_seconds_count{queue="c"} 0',
    ]);
    expect(waits.count({ queue: 'a"b' })).toBe(5);
  });
});

describe('live gauge', () => {
  it('calls its source at each scrape, and only the newest one of several', async () => {
    const gauge = new LiveGauge({ name: 'room', help: 'Room.', labelNames: ['pool'] });
    gauge.readBy({ pool: 'a' }, () => 1);
    let room = 2;
    gauge.readBy({ pool: 'a' }, () => room);
    expect(await register.getSingleMetricAsString('room')).toContain('room{pool="a"} 2');
    room = 3;
    expect(await register.getSingleMetricAsString('room')).toContain('room{pool="a"} 3');
  });
});
