import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type MeasuredDatabase, type StatementCost, pagesOf } from '@kinora/testing';
import { MONTHS_AT_ONCE } from '../../src/job/read-by-month';
import { drawGrowth } from './million-picture.fixtures';

/** `npm run test:ten-million` sets it, and has a table printed and the picture drawn. */
const LARGEST = process.env.KINORA_MANY_JOBS;
/** The first month of an installation, and its fifth year. */
const SIZES = [
  { jobs: 10_000, months: 1 },
  { jobs: LARGEST === undefined ? 600_000 : 1_000_000, months: 60 },
  ...(LARGEST === undefined ? [] : [{ jobs: Number(LARGEST), months: 60 }]),
];
/** The fastest of them counts, since the machine does other work. */
const RUNS = 3;
const PICTURE = path.join(__dirname, '../../../../docs/growth.svg');

type Fixtures = typeof import('./million-drop.fixtures') &
  typeof import('./million-jobs.fixtures') &
  typeof import('./million-reads.fixtures') &
  typeof import('./million-works.fixtures');

interface Size extends Fixtures {
  database: MeasuredDatabase;
}

/** The fixtures read their size when they are loaded. */
async function fill({ jobs, months }: (typeof SIZES)[number]): Promise<Size> {
  Object.assign(process.env, { KINORA_MANY_JOBS: String(jobs), KINORA_MANY_MONTHS: String(months) });
  let fixtures: Fixtures | undefined;
  await jest.isolateModulesAsync(async () => {
    fixtures = {
      ...(await import('./million-drop.fixtures')),
      ...(await import('./million-jobs.fixtures')),
      ...(await import('./million-reads.fixtures')),
      ...(await import('./million-works.fixtures')),
    };
  });
  if (!fixtures) throw new Error('The fixtures were not loaded.');
  const database = await fixtures.createMillionJobs();
  database.runs = RUNS;
  return { ...fixtures, database };
}

/** What one piece of work costs at each size. */
interface Comparison {
  name: string;
  pages: number[];
  ms: number[];
  planningMs: number[];
  /** Partitions of the plan with most of them. */
  planned: number[];
  /** Partitions that were read, summed over the statements. */
  months: number[];
}

function compare(name: string | null, costs: StatementCost[][]): Comparison {
  return {
    name: name ?? [...new Set(costs.flat().map((cost) => cost.name))].join(', '),
    pages: costs.map(pagesOf),
    ms: costs.map((list) => list.reduce((sum, { ms }) => sum + ms, 0)),
    planningMs: costs.map((list) => Math.max(0, ...list.map(({ planningMs }) => planningMs))),
    planned: costs.map((list) => Math.max(0, ...list.map(({ planned }) => planned))),
    months: costs.map((list) => list.reduce((sum, { partitions }) => sum + partitions, 0)),
  };
}

describe('five years of jobs', () => {
  let sizes: Size[];

  beforeAll(async () => {
    sizes = [];
    // The largest one first: a repeat of a request is recognised for 15 minutes.
    for (const size of SIZES.toReversed()) sizes.unshift(await fill(size));
  }, 3_600_000);
  afterAll(() => Promise.all(sizes.map(({ database }) => database.close())));

  /** One size after the other, so that other work on the machine disturbs them alike. */
  async function compareWork(name: string | null, work: (size: Size) => unknown): Promise<Comparison> {
    const costs: StatementCost[][] = [];
    for (const size of sizes) costs.push(await size.database.costsOf(async () => work(size)));
    return compare(name, costs);
  }

  async function compareAll(): Promise<Comparison[]> {
    const rows: Comparison[] = [];
    for (const account of ['MANY', 'FEW'] as const)
      for (const [at, { name }] of (sizes[0]?.READS ?? []).entries())
        rows.push(
          await compareWork(`${account}: ${name}`, (size) => size.READS[at]?.work(size.database, size[account])),
        );
    const works = sizes.map((size) => ({ size, list: size.worksOf(size.database) }));
    for (const at of works[0]?.list.keys() ?? [])
      rows.push(await compareWork(null, (size) => works.find((one) => one.size === size)?.list[at]?.()));
    return rows;
  }

  it('cost what the first month did', async () => {
    const rows = await compareAll();
    if (LARGEST !== undefined) publish(rows);
    expect(rows.filter(costsMore)).toEqual([]);
    expect(rows.filter(({ name, planned }) => Math.max(...planned) > PLANNED_MAX && !isPlannedForAll(name))).toEqual(
      [],
    );
    expect(medianSlowdown(rows)).toBeLessThanOrEqual(FACTOR);
  }, 3_600_000);

  it('lose a month in less than a second beside 100 creations a second, none of which waits for it', async () => {
    const largest = sizes.at(-1);
    const dropped = await largest?.dropMonths(largest.database.plain);
    if (LARGEST !== undefined) process.stdout.write(`${JSON.stringify(dropped)}\n`);
    expect(dropped?.months).toBeGreaterThan(1);
    expect(dropped?.slowestMs).toBeLessThan(1_000);
    expect(dropped?.waitedMs).toBeLessThan(50);
    expect(dropped?.createdASecond).toBeGreaterThan(90);
  }, 3_600_000);
});

/** The goal: at most so many times the pages, and the time of half of the works. */
const FACTOR = 1.2;
/** Where rows are stored. */
const CHANCE_PAGES = 8;
/**
 * A sparse list reads each of its months by a descent of three pages for each of the three statuses that a job ends with, and more
 * pages of rows: in the first month, several of the account's jobs are on one page.
 */
const MONTH_PAGES = 12;
const isSparse = (name: string): boolean => name.startsWith('FEW') || name.startsWith('job_list_of_model');
/** Exceptions from the goal, and why. */
const FACTORS: Record<string, number> = {
  // Each row of a page enters or leaves indexes that are a level higher: at most four pages instead of three.
  ...{ feed_number: 4 / 3, feed_number_all: 4 / 3, attempt_poll_soon: 4 / 3, 'account_month_list, job_search': 4 / 3 },
  // The rows of a page lie apart in a month of many jobs: each has a page of its own, and pages of indexes.
  ...{ job_search: 4, job_claim_expired_outputs: 3 },
  // Ten thousand jobs do not fill a page of a thousand rows.
  ...{ feed_prune: 4, idempotency_purge: 4 },
};
/** A first start of the dispatcher reads the beginning of every month once. */
const READ_EVERY_MONTH = ['job_list_finished'];
/** Planned once a connection: the same, an audit, and an operator's list that the latest days do not fill. */
const isPlannedForAll = (name: string): boolean => /^job_(list_finished|list_priced|summary_list,)/.test(name);
/** The open months, and closed ones of an account. */
const PLANNED_MAX = MONTHS_AT_ONCE + 2;

function costsMore({ name, pages, months }: Comparison): boolean {
  const [small = 0, ...larger] = pages;
  const added = Math.max(...larger.map((_, place) => (months[place + 1] ?? 0) - (months[0] ?? 0)));
  const allowed = isSparse(name) ? MONTH_PAGES * added : READ_EVERY_MONTH.includes(name) ? 2 * added : 0;
  return Math.max(...larger) > (FACTORS[name] ?? FACTOR) * small + CHANCE_PAGES + allowed;
}

/** Half of the works take at most so many times as long as at the first size: a single time says little on a busy machine. */
function medianSlowdown(rows: Comparison[]): number {
  const factors = rows.map(({ ms }) => (ms.at(-1) ?? 0) / Math.max(ms[0] ?? 0, 0.01)).sort((a, b) => a - b);
  return factors[Math.floor(factors.length / 2)] ?? Number.NaN;
}

/** What the picture shows, by the name of the work. */
const DRAWN: Record<string, string> = {
  job_insert: 'create a job',
  'MANY: the jobs of status null and model null': 'two pages of a list',
  'FEW: the jobs of status null and model null': 'two pages of 1,000 jobs in all',
  'FEW: the jobs of status failed and model one': 'the failed ones of a model',
  'job_next_in_model_queue, job_postpone, attempt_open': 'dispatch 50 jobs',
  attempt_claim_polls: 'poll 50 attempts',
  feed_list_of_type: '101 events of a type',
  usage_sum_by_day: 'usage of a month by day',
  job_claim_undeleted_contents: 'a sweep of all months',
};

function publish(rows: Comparison[]): void {
  const lines = rows.map(({ name, pages, ms, planningMs, planned, months }) =>
    [name, pages, ms.map(toText), planningMs.map(toText), planned, months].map(String).join(' | '),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  const drawn = rows.flatMap(({ name, pages }) => (DRAWN[name] === undefined ? [] : { name: DRAWN[name], pages }));
  writeFileSync(
    PICTURE,
    drawGrowth(
      SIZES.map(({ jobs }) => jobs),
      drawn,
    ),
  );
}

const toText = (ms: number): string => ms.toFixed(2);
