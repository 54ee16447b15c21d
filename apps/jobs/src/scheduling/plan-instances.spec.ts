import fc from 'fast-check';
import { planInstances } from './plan-instances';
import type { InstanceState, SchedulingState, Token, WaitingModel } from './scheduling-state';

const NOW_MS = 1_000_000;

function instance(id: string, parts: Partial<InstanceState> = {}): InstanceState {
  return { id, loaded: null, freeAtMs: NOW_MS, openTasks: 0, places: 1, stayedMs: 0, ...parts };
}

function waiting(
  model: string,
  arrivals: number[],
  parts: Partial<WaitingModel> & { on?: string[] } = {},
): WaitingModel {
  const { on = ['gpu-a'], ...rest } = parts;
  return {
    model,
    routes: on.map((id) => ({ instance: id, template: model, order: 0, weight: 1, runMs: 1_000, loadMs: 4_000 })),
    next: arrivals.map((arrivedAtMs) => ({ account: model, arrivedAtMs: NOW_MS + arrivedAtMs })),
    waiting: arrivals.length,
    ...rest,
  };
}

function state(parts: Partial<SchedulingState>): SchedulingState {
  return { nowMs: NOW_MS, bounds: { loads: 20, ms: 600_000 }, instances: [], queues: [], past: [], ...parts };
}

const grantsOf = (parts: Partial<SchedulingState>): string[] =>
  planInstances(state(parts)).map(({ model, instance: id }) => `${model} ${id}`);

describe('the plan of instances', () => {
  it('stays with what an instance has loaded while that delays another job by less than two loads', () => {
    const queues = [waiting('a', [-10]), waiting('b', [-500])];
    expect(grantsOf({ instances: [instance('gpu-a', { loaded: 'a' })], queues })).toEqual(['a gpu-a']);
  });

  it('changes when the instance has stayed for the bound, and the other model has the older job', () => {
    const queues = [waiting('a', [-10]), waiting('b', [-500])];
    const loaded = instance('gpu-a', { loaded: 'a', stayedMs: 80_000 });
    expect(grantsOf({ instances: [loaded], queues })).toEqual(['b gpu-a']);
  });

  it('changes when the next run would make the other job too late', () => {
    const past = Array.from({ length: 13 }, (_, index) => ({
      account: 'a',
      model: 'a',
      template: 'a',
      instance: 'gpu-a',
      arrivedAtMs: NOW_MS - 12_600 + index * 1_000,
      startedAtMs: NOW_MS - 12_600 + index * 1_000,
    }));
    const queues = [waiting('a', [-10]), waiting('b', [-12_500])];
    expect(grantsOf({ instances: [instance('gpu-a', { loaded: 'a' })], queues, past })).toEqual(['b gpu-a']);
  });

  it('does not load a second instance for a backlog that is shorter than a load', () => {
    const instances = [
      instance('gpu-a', { loaded: 'a', places: 0, openTasks: 1, freeAtMs: NOW_MS + 500 }),
      instance('gpu-b'),
    ];
    const on = ['gpu-a', 'gpu-b'];
    expect(grantsOf({ instances, queues: [waiting('a', [-1, -1, -1], { on })] })).toEqual([]);
    expect(grantsOf({ instances, queues: [waiting('a', [-1, -1, -1, -1, -1, -1], { on })] })).toEqual(['a gpu-b']);
  });

  it('loads a second instance for a longer backlog where another model waits for that instance', () => {
    const on = ['gpu-a', 'gpu-b'];
    const busy = instance('gpu-a', { loaded: 'a', places: 0, openTasks: 1, freeAtMs: NOW_MS + 500 });
    const grantsWith = (jobs: number): string[] => {
      const a = waiting('a', Array.from<number>({ length: jobs }).fill(-2), { on });
      return grantsOf({ instances: [busy, instance('gpu-b')], queues: [a, waiting('b', [-1], { on: ['gpu-b'] })] });
    };
    expect([grantsWith(6), grantsWith(20)]).toEqual([['b gpu-b'], ['a gpu-b']]);
  });

  it('gives a rare model the instance whose model is asked for least', () => {
    const on = ['gpu-a', 'gpu-b'];
    const past = ['a', 'a', 'b'].map((model, index) => ({
      account: 'x',
      model,
      template: model,
      instance: model === 'a' ? 'gpu-a' : 'gpu-b',
      arrivedAtMs: NOW_MS - 5_000 + index,
      startedAtMs: NOW_MS - 5_000 + index,
    }));
    const instances = [instance('gpu-a', { loaded: 'a' }), instance('gpu-b', { loaded: 'b' })];
    expect(grantsOf({ instances, queues: [waiting('rare', [-1], { on })], past })).toEqual(['rare gpu-b']);
  });

  it('keeps the second place of an instance for what it has loaded', () => {
    const busy = instance('gpu-a', { loaded: 'a', openTasks: 1, freeAtMs: NOW_MS + 500 });
    expect(grantsOf({ instances: [busy], queues: [waiting('b', [-100])] })).toEqual([]);
    expect(grantsOf({ instances: [busy], queues: [waiting('a', [-100])] })).toEqual(['a gpu-a']);
  });

  it('uses a route of a higher order only if no instance of a lower one is idle', () => {
    const routes = waiting('a', []).routes.concat({ ...waiting('a', [], { on: ['gpu-b'] }).routes[0]!, order: 1 });
    const queues = [waiting('a', [-1], { routes })];
    const ready = instance('gpu-b', { loaded: 'a' });
    expect(grantsOf({ instances: [instance('gpu-a'), ready], queues })).toEqual(['a gpu-a']);
    expect(grantsOf({ instances: [instance('gpu-a', { places: 0, openTasks: 1 }), ready], queues })).toEqual([
      'a gpu-b',
    ]);
  });
});

describe('the plan of any instances', () => {
  const ids = ['gpu-a', 'gpu-b', 'gpu-c'];
  const models = ['a', 'b', 'c', 'd'];
  const token: fc.Arbitrary<Token> = fc.record({
    account: fc.constantFrom('x', 'y'),
    arrivedAtMs: fc.integer({ min: NOW_MS - 100_000, max: NOW_MS }),
  });
  const queueOf = (model: string): fc.Arbitrary<WaitingModel> =>
    fc
      .record({
        next: fc.array(token, { maxLength: 6 }),
        on: fc.subarray(ids, { minLength: 1 }),
        runMs: fc.integer({ min: 1, max: 10_000 }),
        loadMs: fc.integer({ min: 0, max: 60_000 }),
      })
      .map(({ next, on, runMs, loadMs }) => ({
        model,
        next,
        waiting: next.length,
        routes: on.map((id) => ({ instance: id, template: model, order: 0, weight: 1, runMs, loadMs })),
      }));
  const anyState: fc.Arbitrary<SchedulingState> = fc
    .record({
      instances: fc.tuple(
        ...ids.map((id) =>
          fc
            .record({
              loaded: fc.option(fc.constantFrom(...models)),
              places: fc.integer({ min: 0, max: 2 }),
              stayedMs: fc.integer({ min: 0, max: 100_000 }),
              isBusy: fc.boolean(),
            })
            .map(({ isBusy, ...rest }) =>
              instance(id, { ...rest, openTasks: Number(isBusy), freeAtMs: NOW_MS + (isBusy ? 500 : 0) }),
            ),
        ),
      ),
      queues: fc.tuple(...models.map(queueOf)),
    })
    .map((parts) => state(parts));

  it('gives no place twice, and no job that is not there', () => {
    fc.assert(
      fc.property(anyState, (any) => {
        const grants = planInstances(any);
        for (const { id, places } of any.instances)
          expect(grants.filter(({ instance: to }) => to === id).length).toBeLessThanOrEqual(places);
        for (const { model, next, routes } of any.queues) {
          const own = grants.filter((grant) => grant.model === model);
          expect(own.length).toBeLessThanOrEqual(next.length);
          expect(own.every((grant) => routes.some(({ instance: to }) => to === grant.instance))).toBe(true);
        }
      }),
    );
  });

  it('leaves no instance idle beside a job that only it can run', () => {
    fc.assert(
      fc.property(anyState, (any) => {
        const used = new Set(planInstances(any).map(({ instance: id }) => id));
        for (const { id, openTasks, places } of any.instances) {
          const isIdle = places > 0 && openTasks === 0 && !used.has(id);
          const own = any.queues.filter(
            ({ next, routes }) => next.length > 0 && routes.every(({ instance: to }) => to === id),
          );
          expect(isIdle && own.length > 0).toBe(false);
        }
      }),
    );
  });

  it('is the same for the same state, and changes nothing of it', () => {
    fc.assert(
      fc.property(anyState, (any) => {
        const before = JSON.stringify(any);
        const grants = planInstances(any);
        expect(JSON.stringify(any)).toBe(before);
        expect(planInstances(any)).toEqual(grants);
      }),
    );
  });

  it('grants nothing without waiting jobs', () => {
    fc.assert(
      fc.property(anyState, (any) => {
        const queues = any.queues.map((queue) => ({ ...queue, next: [], waiting: 0 }));
        expect(planInstances({ ...any, queues })).toEqual([]);
      }),
    );
  });
});
