import { type Foreseen, forecastStarts, foreseenBacklog, foreseenStart } from './forecast';
import type { SchedulingState, WaitingModel } from './scheduling-state';

const NOW_MS = 1_000_000;
const RUN_MS = 1_000;
const LOAD_MS = 4_000;

function waiting(model: string, jobs: number): WaitingModel {
  return {
    model,
    routes: [{ instance: 'gpu-a', template: model, order: 0, weight: 1, runMs: RUN_MS, loadMs: LOAD_MS }],
    next: Array.from({ length: jobs }, () => ({ account: model, arrivedAtMs: NOW_MS - 10 })),
    waiting: jobs,
  };
}

function state(queues: WaitingModel[]): SchedulingState {
  const idle = { id: 'gpu-a', loaded: null, freeAtMs: NOW_MS, openTasks: 0, places: 1, stayedMs: 0 };
  return { nowMs: NOW_MS, bounds: { loads: 20, ms: 600_000 }, instances: [idle], queues, past: [] };
}

describe('the forecast of the plan', () => {
  it('has the starts of the jobs of each model, behind the loads that the plan chooses', async () => {
    const starts = await forecastStarts(state([waiting('a', 3), waiting('b', 2)]));
    const inMs = (model: string): number[] => (starts.get(model) ?? []).map((atMs) => atMs - NOW_MS);
    expect([inMs('a'), inMs('b')]).toEqual([
      [4_000, 5_000, 6_000],
      [11_000, 12_000],
    ]);
  });

  it('has a start for each of many jobs, until their work is done', async () => {
    const starts = await forecastStarts(state([waiting('a', 200), waiting('b', 100)]));
    const all = [...starts.values()].flat();
    expect(all).toHaveLength(300);
    expect(Math.max(...all)).toBeLessThanOrEqual(NOW_MS + 300 * RUN_MS + 2 * LOAD_MS);
    for (const times of starts.values()) expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('is empty without jobs', async () => {
    expect([...(await forecastStarts(state([waiting('a', 0)]))).values()]).toEqual([[]]);
  });
});

describe('the place of a job', () => {
  const task = (job_id: string): Foreseen['open'][number] => ({ job_id, provider: 'gpu-a', runMs: 1, endsAtMs: 1 });
  const foreseen: Foreseen = {
    nowMs: 0,
    starts: new Map([
      ['a', [1_000, 2_000]],
      ['b', [7_000, 8_000]],
      ['c', [500]],
    ]),
    instances: new Map([
      ['a', ['gpu-a']],
      ['b', ['gpu-a', 'gpu-b']],
      ['c', ['gpu-c']],
    ]),
    open: [task('running'), task('queued')],
  };

  it('counts the earlier jobs of the models that share an instance, and what waits there', () => {
    expect(foreseenStart(foreseen, 'a', 1)).toEqual({ atMs: 2_000, before: 2 });
    expect(foreseenStart(foreseen, 'b', 0)).toEqual({ atMs: 7_000, before: 3 });
    expect(foreseenStart(foreseen, 'c', 0)).toEqual({ atMs: 500, before: 0 });
  });

  it('goes on behind the jobs that are read, with the models of which as many are read', () => {
    expect(foreseenStart(foreseen, 'b', 2)).toEqual({ atMs: 12_000, before: 5 });
    expect(foreseenStart(foreseen, 'b', 3)).toEqual({ atMs: 16_000, before: 7 });
  });

  it('is that of a new one if the whole queue is before it; there is room when enough of all models have started', () => {
    const backlogOf = (model: string, limit: number) => foreseenBacklog(foreseen, model, { waiting: 2, limit });
    expect(backlogOf('b', 5)).toEqual({ before: 4, roomAtMs: 0 });
    expect(backlogOf('b', 4)).toEqual({ before: 4, roomAtMs: 1_000 });
    expect(backlogOf('b', 2)).toEqual({ before: 4, roomAtMs: 7_000 });
    expect(backlogOf('a', 3)).toEqual({ before: 2, roomAtMs: 0 });
    expect(backlogOf('d', 0)).toBeNull();
  });

  it('is unknown for a model without waiting jobs', () => {
    expect(foreseenStart(foreseen, 'd', 0)).toBeNull();
    expect(foreseenStart(foreseen, 'a', -1)).toBeNull();
  });
});
