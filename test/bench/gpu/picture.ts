import { writeFileSync } from 'node:fs';
import { planInstances } from '../../../apps/jobs/src/scheduling/plan-instances';
import { firstCome, roundRobin } from './baselines';
import { simulate, type Work } from './simulate';
import { makeTrace } from './traces';

const HOUR_MS = 3_600_000;
const WIDTH = 900;
const ROW = 64;
const BAR = 28;
const LOADING = '#b9b9b9';
const MODELS = ['#2f6fde', '#e08a1e', '#2c9a63'];
const FILE = 'docs/gpu-hour.svg';

/** An hour of one card that three models share: as jobs served them before, first come, first served, and by the plan. */
export function drawHour(): void {
  const trace = makeTrace({ arrivals: 'busy', instances: 1, models: MODELS.length, loadRuns: 5 });
  const rows = [
    { name: 'One model after another', work: simulate(trace, roundRobin()).work },
    { name: 'First come, first served', work: simulate(trace, firstCome).work },
    { name: 'The plan', work: simulate(trace, planInstances).work },
  ];
  const height = rows.length * ROW;
  const drawn = rows.map(({ name, work }, index) => toRow(name, work.filter(isWithinHour), index * ROW));
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="14">`;
  writeFileSync(FILE, [frame, ...drawn, '</svg>', ''].join('\n'));
  console.log(`${FILE} written`);
}

const isWithinHour = ({ untilMs }: Work): boolean => untilMs <= HOUR_MS;

function toRow(name: string, work: Work[], top: number): string {
  const models = [...new Set(work.map(({ model }) => model))].sort();
  const lines = models.map((model, index) =>
    toLine(
      work.filter((one) => one.model === model && one.kind === 'run'),
      MODELS[index] ?? '',
      top,
    ),
  );
  const loads = work.filter(({ kind }) => kind === 'load');
  const runs = work.filter(({ kind }) => kind === 'run');
  const title = `${name}: ${runs.length} jobs and ${loads.length} loads, ${shareOf(runs)} % running, ${shareOf(loads)} % loading`;
  return [`<text y="${top + 16}" fill="gray">${title}</text>`, toLine(loads, LOADING, top), ...lines].join('\n');
}

/** One stroke for each uninterrupted time. */
function toLine(work: Work[], colour: string, top: number): string {
  const times: { fromMs: number; untilMs: number }[] = [];
  for (const { fromMs, untilMs } of work) {
    const last = times.at(-1);
    if (last && fromMs - last.untilMs < 1) last.untilMs = untilMs;
    else times.push({ fromMs, untilMs });
  }
  const toX = (atMs: number): number => Math.round((atMs / HOUR_MS) * WIDTH * 10) / 10;
  const y = top + 24 + BAR / 2;
  const strokes = times.map(
    ({ fromMs, untilMs }) => `M${toX(fromMs)} ${y}h${Math.round((toX(untilMs) - toX(fromMs)) * 10) / 10}`,
  );
  return `<path stroke="${colour}" stroke-width="${BAR}" d="${strokes.join('')}"/>`;
}

const shareOf = (work: Work[]): number =>
  Math.round((work.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0) / HOUR_MS) * 100);
