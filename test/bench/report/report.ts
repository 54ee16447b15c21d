// Draws the benchmark as charts: `npm run bench:report [-- FILE]` writes one HTML page.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stack } from '../../../deploy/local/stack-file';
import { BenchStack } from '../bench-stack';
import { type Goal, goalsTable } from '../goals';
import { figure } from '../text-table';
import { flameGraph } from './flame-graph';
import { type Section, htmlPage } from './html-page';
import { htmlTable } from './html-table';
import { type Line, lineChart } from './line-chart';
import { type ByConnections, measureConnections } from './measure-connections';
import { type AtRates, RATES, measureRates } from './measure-rates';
import { measureTableSizes } from './measure-table-sizes';
import { profileCreates } from './profile-creates';

const DEFAULT_FILE = 'dist/bench-report.html';

/** The largest ratio between the latencies at a million and at a thousand jobs that counts as equal. */
const SAME_WITHIN = 1.2;

async function main(file = DEFAULT_FILE): Promise<void> {
  const connections = await withStack(measureConnections);
  const rates = await withStack(measureRates);
  const tableSizes = await withStack(measureTableSizes);
  const sections = [
    connectionsSection(connections),
    ratesSection(rates),
    tableSizesSection(tableSizes),
    flameSection(flameGraph(await profileCreates())),
  ];
  console.log(goalsTable(tableSizes.map(sizeGoal)));
  await writeFile(file, htmlPage('Kinora: what it carries, and where the time goes', sections));
  console.log(`Written to ${path.resolve(file)}.`);
}

/** Each on a stack of its own, because leftovers of one measurement would slow down the next. */
async function withStack<T>(measure: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await BenchStack.start();
  return await measure(await stack.describe()).finally(() => stack.end());
}

function connectionsSection({ throughput, p50Ms, p99Ms }: ByConnections): Section {
  const xLabel = 'connections at once';
  return {
    heading: 'As more come at once',
    caption:
      'Created jobs and reads over HTTP, beside the same create as one SQL statement straight to PostgreSQL. Created jobs are dispatched and polled meanwhile.',
    figures: [
      lineChart({ title: 'Throughput', xLabel, yLabel: 'requests per second', lines: throughput }),
      lineChart({ title: 'Median latency', xLabel, yLabel: 'milliseconds', lines: p50Ms }),
      lineChart({ title: '99th percentile of latency', xLabel, yLabel: 'milliseconds', lines: p99Ms }),
    ],
  };
}

function ratesSection(atRates: AtRates): Section {
  const rows = Object.entries(atRates).map(([name, results]) => [
    name,
    ...results.map(({ p50Ms, p99Ms }) => `${figure(p50Ms)} / ${figure(p99Ms)}`),
  ]);
  return {
    heading: 'At a fixed rate of arrival',
    caption:
      'Median and 99th percentile in milliseconds at a fixed rate of arrival (open loop). Latency counts from the moment when the request was due, so it includes delays of the load generator.',
    figures: [htmlTable(['p50 / p99 ms', ...RATES.map((rate) => `${rate} a second`)], rows)],
  };
}

function sizeGoal({ name, points }: Line): Goal {
  const [first, last] = [points[0]?.y ?? Number.NaN, points.at(-1)?.y ?? Number.NaN];
  return {
    what: `${name}, a million jobs`,
    wanted: { atMost: SAME_WITHIN },
    measured: last / first,
    unit: '× of a thousand',
  };
}

function tableSizesSection(lines: Line[]): Section {
  return {
    heading: 'As an account grows',
    caption: 'Lists and sums of an account with a thousand to a million jobs, one request at a time.',
    figures: [lineChart({ title: 'Median latency', xLabel: 'jobs of the account', yLabel: 'milliseconds', lines })],
  };
}

function flameSection(graph: string): Section {
  return {
    heading: 'Where an accept spends its time',
    caption:
      'Processor time of the processes that a create passes, with 32 concurrent creates, in the order of the calls; jobs also dispatches and polls the created jobs. Hover over a box for its share.',
    figures: [graph],
  };
}

void main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
