import fc from 'fast-check';
import { planInstances } from '../../../apps/jobs/src/scheduling/plan-instances';
import { firstCome, lowerBoundMs } from './baselines';
import { simulate } from './simulate';
import type { Trace } from './traces';

const MODELS = ['a', 'b', 'c'];
const SINGLE = 'single';

/** Few jobs of a few models at one to three instances, which may be gone for a while. */
const anyTrace = (accounts: string[]): fc.Arbitrary<Trace> =>
  fc
    .record({
      instances: fc.integer({ min: 1, max: 3 }),
      models: fc.tuple(
        ...MODELS.map((name) =>
          fc.record({
            name: fc.constant(name),
            runMs: fc.integer({ min: 10, max: 5_000 }),
            loadMs: fc.integer({ min: 0, max: 30_000 }),
          }),
        ),
      ),
      jobs: fc.array(
        fc.record({
          arrivedAtMs: fc.integer({ min: 0, max: 60_000 }),
          account: fc.constantFrom(...accounts),
          model: fc.constantFrom(...MODELS),
        }),
        { minLength: 1, maxLength: 40 },
      ),
      outages: fc.array(
        fc.record({
          instance: fc.constant(0),
          fromMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
          untilMs: fc.constant(90_000),
        }),
        { maxLength: 1 },
      ),
    })
    .map(({ jobs, ...rest }) => ({
      ...rest,
      name: 'any',
      loadRuns: 0,
      jobs: jobs.sort((one, other) => one.arrivedAtMs - other.arrivedAtMs),
    }));

const longest = (waitsMs: number[]): number => Math.max(...waitsMs);

/** The simulation throws if a place is given twice, or a job is left waiting. */
describe('the plan over whole traces', () => {
  it('runs every job, also where an instance is gone for a while', () => {
    fc.assert(
      fc.property(anyTrace(['x', 'y']), (trace) => {
        const { waitsMs, work } = simulate(trace, planInstances);
        expect(waitsMs.filter((waitMs) => waitMs >= 0)).toHaveLength(trace.jobs.length);
        expect(work.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(trace.jobs.length);
      }),
    );
  });

  it('loads three models four times at most, where two instances share sixteen jobs', () => {
    const models = MODELS.map((name) => ({ name, runMs: 1_000, loadMs: 4_000 }));
    const jobs = Array.from({ length: 16 }, (_, index) => {
      const model = MODELS[index % 3] as string;
      return { arrivedAtMs: index, account: model, model };
    });
    const { loads } = simulate({ name: 'pair', instances: 2, loadRuns: 4, models, jobs, outages: [] }, planInstances);
    expect(loads).toBeLessThanOrEqual(4);
  });

  it('lets no job wait two loads longer than the longest would first come, first served', () => {
    fc.assert(
      fc.property(anyTrace(['x', 'y']), (any) => {
        const trace = { ...any, outages: [] };
        const loadMs = Math.max(...trace.models.map((model) => model.loadMs));
        const bound = longest(simulate(trace, firstCome).waitsMs) + 2 * loadMs;
        expect(longest(simulate(trace, planInstances).waitsMs)).toBeLessThanOrEqual(bound);
      }),
    );
  });

  it('never ends before the lower bound', () => {
    fc.assert(
      fc.property(anyTrace(['x', 'y']), (trace) => {
        const ended = [planInstances, firstCome].map((policy) => simulate(trace, policy).endedAtMs);
        expect(Math.min(...ended)).toBeGreaterThanOrEqual(lowerBoundMs(trace) - 0.001);
      }),
    );
  });

  it('lets no later job of a model pass one whose account has no other', () => {
    fc.assert(
      fc.property(
        anyTrace(['x', 'y']),
        fc.constantFrom(...MODELS),
        fc.integer({ min: 0, max: 60_000 }),
        (any, model, atMs) => {
          const single = { arrivedAtMs: atMs, account: SINGLE, model };
          const jobs = [...any.jobs, single].sort((one, other) => one.arrivedAtMs - other.arrivedAtMs);
          const { givenAtMs } = simulate({ ...any, jobs, outages: [] }, planInstances);
          const own = jobs.indexOf(single);
          for (const [index, job] of jobs.entries())
            if (job.model === model && index > own)
              expect(givenAtMs[index]).toBeGreaterThanOrEqual(givenAtMs[own] as number);
        },
      ),
    );
  });
});
