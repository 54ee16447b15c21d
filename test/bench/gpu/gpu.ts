// What a schedule of models gets out of instances that need time to load one, in virtual time: `npm run bench:gpu`, or that and the
// beginning of a row of its table. `npm run bench:gpu -- picture` draws the hour of a card for the documents.
import { planInstances } from '../../../apps/jobs/src/scheduling/plan-instances';
import { textTable } from '../goals';
import { firstCome, lowerBoundMs, roundRobin } from './baselines';
import { drawHour } from './picture';
import { type Policy, type Result, simulate } from './simulate';
import { allTraces, type Trace } from './traces';

interface Figures {
  share: number;
  p50: number;
  p95: number;
  worst: number;
}

function measure(trace: Trace, policy: Policy): Figures {
  const result = simulate(trace, policy);
  const waits = [...result.waitsMs].sort((one, other) => one - other);
  const at = (part: number): number => (waits[Math.min(Math.ceil(waits.length * part), waits.length - 1)] ?? 0) / 1_000;
  return { share: shareOf(trace, result), p50: at(0.5), p95: at(0.95), worst: at(1) };
}

function shareOf(trace: Trace, { endedAtMs }: Result): number {
  return lowerBoundMs(trace) / endedAtMs;
}

const only = process.argv[2] ?? '';
if (only === 'picture') drawHour();
else compare();

function compare(): void {
  const rows = allTraces()
    .filter(({ name, instances, models, loadRuns }) =>
      `${name} ${instances} ${models.length} ${loadRuns}`.startsWith(only),
    )
    .map((trace) => {
      const policy = measure(trace, planInstances);
      const first = measure(trace, firstCome);
      const robin = measure(trace, roundRobin());
      const loadS = Math.max(...trace.models.map(({ loadMs }) => loadMs)) / 1_000;
      const problems = [
        ...(policy.share < (trace.loadRuns <= 5 ? 0.9 : 0.85) ? ['share'] : []),
        ...(policy.p95 > first.p95 + 0.001 ? ['p95'] : []),
        ...(policy.worst > first.worst + 2 * loadS + 0.001 ? ['worst'] : []),
      ];
      return {
        problems,
        cells: [
          trace.name,
          trace.instances,
          trace.models.length,
          trace.loadRuns,
          policy.share,
          first.share,
          robin.share,
          policy.p50,
          first.p50,
          robin.p50,
          policy.p95,
          first.p95,
          robin.p95,
          policy.worst,
          first.worst,
          robin.worst,
          problems.join(' ') || 'yes',
        ],
      };
    });
  const triple = (what: string): string[] => [what, 'first come', 'round robin'];
  console.log(
    textTable(
      [
        'trace',
        'GPUs',
        'models',
        'load',
        ...triple('share'),
        ...triple('p50'),
        ...triple('p95'),
        ...triple('worst'),
        'goals',
      ],
      rows.map(({ cells }) => cells),
    ),
  );
  const missed = rows.filter(({ problems }) => problems.length > 0).length;
  console.log(`${rows.length - missed} of ${rows.length} traces reach all goals.`);
  if (missed > 0) process.exitCode = 1;
}
