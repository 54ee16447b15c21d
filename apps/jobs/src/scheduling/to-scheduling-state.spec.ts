import type { InstanceRun, MeasuredCost } from './instance-run.repository';
import { endsOfOpenRuns, toSchedulingState } from './to-scheduling-state';

const NOW_MS = 1_000_000;

function cost(provider: string, template: string, is_load: boolean, ms: number): MeasuredCost {
  return { provider, template, is_load, ms };
}

function costsAt(costs: MeasuredCost[], load_ms?: number): unknown {
  const route = { provider: 'gpu-a', template: 'a', weight: 1, ...(load_ms !== undefined && { load_ms }) };
  const models = [{ model: 'a', routes: [route] }];
  const bounds = { loads: 1, ms: 1 };
  const { queues } = toSchedulingState({
    ...{ bounds, models, places: new Map(), runs: [], waiting: [], costs, nowMs: NOW_MS },
  });
  const [{ runMs, loadMs } = {}] = queues[0]?.routes ?? [];
  return { runMs, loadMs };
}

describe('the costs of a model at an instance', () => {
  const measured = [cost('gpu-a', 'a', false, 1_000), cost('gpu-a', 'a', true, 5_000)];

  it('are its usual time, and the time after a change of model minus that', () => {
    expect(costsAt(measured, 60_000)).toEqual({ runMs: 1_000, loadMs: 4_000 });
  });

  it('share the first run, until a second one is measured', () => {
    expect(costsAt([cost('gpu-a', 'a', true, 6_000)])).toEqual({ runMs: 2_000, loadMs: 10_000 });
    expect(costsAt([cost('gpu-a', 'a', true, 6_000)], 3_000)).toEqual({ runMs: 3_000, loadMs: 3_000 });
  });

  it.each(['the same model at another instance', 'another model at the same instance'])('are those of %s', (what) => {
    const other = what.startsWith('the same') ? ['gpu-b', 'a'] : ['gpu-a', 'b'];
    const [provider = '', template = ''] = other;
    const elsewhere = [cost(provider, template, false, 2_000), cost(provider, template, true, 9_000)];
    expect(costsAt(elsewhere)).toEqual({ runMs: 2_000, loadMs: 7_000 });
    expect(costsAt(elsewhere, 500)).toEqual({ runMs: 2_000, loadMs: 500 });
  });

  it('are the defaults, or the prior of the route, while nothing is measured', () => {
    expect(costsAt([])).toEqual({ runMs: 5_000, loadMs: 10_000 });
    expect(costsAt([], 20_000)).toEqual({ runMs: 5_000, loadMs: 20_000 });
  });
});

describe('the open tasks of an instance', () => {
  const costs = [cost('gpu-a', 'a', false, 1_000), cost('gpu-a', 'a', true, 5_000)];
  const run = (job_id: string, parts: Partial<InstanceRun>): InstanceRun => ({
    ...{ job_id, number: 1, provider: 'gpu-a', account_id: 'x', model: 'a', template: 'a', arrived_at_ms: 0 },
    ...{ started_at_ms: NOW_MS - 2_000, ended_at_ms: null, is_load: false, is_loaded: true, gpu_ms: null },
    ...{ is_open: true, now_ms: NOW_MS },
    ...parts,
  });
  const endsOf = (...runs: InstanceRun[]): number[] =>
    endsOfOpenRuns({ runs, costs, models: [], nowMs: NOW_MS }).map(({ endsAtMs }) => endsAtMs - NOW_MS);

  it('end one after another, the load included', () => {
    expect(endsOf(run('one', { is_load: true }), run('two', {}))).toEqual([3_000, 4_000]);
  });

  it('begin when the task before them has ended', () => {
    const ended = run('one', { is_open: false, gpu_ms: 1_000, ended_at_ms: NOW_MS - 200 });
    expect(endsOf(ended, run('two', {}))).toEqual([800]);
  });

  it('load as long as the route names it, until a load is measured', () => {
    const models = [{ model: 'b', routes: [{ provider: 'gpu-a', weight: 1, load_ms: 20_000 }] }];
    const runs = [run('one', { model: 'b', template: 'b', is_load: true, started_at_ms: NOW_MS })];
    expect(endsOfOpenRuns({ runs, costs: [], models, nowMs: NOW_MS })).toMatchObject([{ endsAtMs: NOW_MS + 25_000 }]);
  });

  it('end at once if they take longer than expected', () => {
    expect(endsOf(run('one', {}), run('two', {}))).toEqual([0, 1_000]);
  });
});
