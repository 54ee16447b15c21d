// Draws what the bench can only list: `npm run bench:report [-- FILE]` writes one HTML page.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stack } from '../../../deploy/local/stack-file';
import { BenchStack } from '../bench-stack';
import { flameGraph } from './flame-graph';
import { type Section, htmlPage } from './html-page';
import { type Line, lineChart } from './line-chart';
import { type ByConnections, measureConnections } from './measure-connections';
import { measureTableSizes } from './measure-table-sizes';
import { profileAccepts } from './profile-accepts';

const DEFAULT_FILE = 'dist/bench-report.html';

async function main(file = DEFAULT_FILE): Promise<void> {
  const sections = [
    connectionsSection(await withStack(measureConnections)),
    tableSizesSection(await withStack(measureTableSizes)),
    flameSection(flameGraph(await profileAccepts())),
  ];
  await writeFile(file, htmlPage('Kinora: what it carries, and where the time goes', sections));
  console.log(`Written to ${path.resolve(file)}.`);
}

/** Each on a stack of its own: what one leaves behind would be carried by the next. */
async function withStack<T>(measure: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await BenchStack.start();
  return await measure(await stack.describe()).finally(() => stack.end());
}

function connectionsSection({ throughput, p50Ms, p99Ms }: ByConnections): Section {
  const xLabel = 'connections at once';
  return {
    heading: 'As more come at once',
    caption:
      'Accepted jobs and reads over HTTP, beside the same accept as one SQL statement straight to PostgreSQL. Accepted jobs are dispatched and followed meanwhile.',
    plots: [
      lineChart({ title: 'Throughput', xLabel, yLabel: 'requests per second', lines: throughput }),
      lineChart({ title: 'Median latency', xLabel, yLabel: 'milliseconds', lines: p50Ms }),
      lineChart({ title: '99th percentile of latency', xLabel, yLabel: 'milliseconds', lines: p99Ms }),
    ],
  };
}

function tableSizesSection(lines: Line[]): Section {
  return {
    heading: 'As an account grows',
    caption: 'Lists and sums of an account with a thousand to a million jobs, one request at a time.',
    plots: [lineChart({ title: 'Median latency', xLabel: 'jobs of the account', yLabel: 'milliseconds', lines })],
  };
}

function flameSection(graph: string): Section {
  return {
    heading: 'Where an accept spends its time',
    caption:
      'Processor time of the processes that a create passes, with 32 creates at once, in the order of the calls; jobs also dispatches and follows what was accepted. Hover over a box for its share.',
    plots: [graph],
  };
}

void main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
