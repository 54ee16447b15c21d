import { type MeasuredDatabase, pagesOf, type StatementCost } from '@kinora/testing';
import { createLedger, DORMANT, JOBS_OF_OPEN_MONTH, type Read, readsOf } from './million-ledger.fixtures';

/** `npm run test:ten-million` sets it, and has a table printed. */
const LARGEST = process.env.KINORA_MANY_JOBS;
/** The first month of an installation, and its fifth year. */
const SIZES = [
  { entries: 10_000, ranges: 1 },
  { entries: Number(LARGEST ?? 150_000), ranges: 60 },
];
/** The fastest of them counts, since the machine does other work. */
const RUNS = 5;
/** The goal: at most so many times the pages; and the time of half of the reads, but for those of the exceptions. */
const FACTOR = 1.2;
/** Where rows are stored, and the closings that bound what is read. */
const CHANCE_PAGES = 12;
const CLOSED_MONTHS = 59;
/** Exceptions from the goal: pages to add. */
const ADDED_PAGES: Record<string, number> = {
  // A closing, an index and a row for each month.
  'a statement of one job a month': 10 * CLOSED_MONTHS,
  // The index of times of each range.
  'the ledger by day': 2 * CLOSED_MONTHS,
  // The last closing of each account without entries since; and the range before, where the jobs of a month's first day may have begun.
  'a verification of the entries since the last closing': 5 * DORMANT + 4 * JOBS_OF_OPEN_MONTH,
  'another one of the open months': 4 * JOBS_OF_OPEN_MONTH,
  'a verification without new entries': 5 * DORMANT,
};
/** The ranges of the open month, one before them, and the three that are made ahead. */
const PLANNED_MAX = 6;
/** A month each; the index of times of each range; and the entries of a job, one too many of which may be anywhere. */
const PLANNED_FOR_ALL = ['ledger_list_lines', 'ledger_hour_list_live', 'ledger_find_entry_violations'];

interface Comparison {
  name: string;
  pages: number[];
  ms: number[];
  planningMs: number[];
  planned: number[];
}

function compare(name: string, costs: StatementCost[][]): Comparison {
  return {
    name,
    pages: costs.map(pagesOf),
    ms: costs.map((list) => list.reduce((sum, { ms }) => sum + ms, 0)),
    planningMs: costs.map((list) => Math.max(0, ...list.map(({ planningMs }) => planningMs))),
    planned: costs.map((list) => Math.max(0, ...list.map(({ planned }) => planned))),
  };
}

describe('five years of the ledger', () => {
  let sizes: { database: MeasuredDatabase; reads: Read[] }[];

  beforeAll(async () => {
    sizes = [];
    for (const size of SIZES) {
      const database = await createLedger(size);
      database.runs = RUNS;
      sizes.push({ database, reads: readsOf(database, size) });
    }
  }, 3_600_000);
  afterAll(() => Promise.all(sizes.map(({ database }) => database.close())));

  it('cost what the first month did', async () => {
    const rows: Comparison[] = [];
    const planned: StatementCost[] = [];
    for (const [at, { name }] of (sizes[0]?.reads ?? []).entries()) {
      const costs: StatementCost[][] = [];
      for (const { database, reads } of sizes) costs.push(await database.costsOf(async () => reads[at]?.work()));
      rows.push(compare(name, costs));
      planned.push(...costs.flat().filter((cost) => cost.planned > PLANNED_MAX));
    }
    if (LARGEST !== undefined) process.stdout.write(`${rows.map(toLine).join('\n')}\n`);
    expect(rows.filter(costsMore)).toEqual([]);
    expect(planned.filter(({ name }) => !PLANNED_FOR_ALL.includes(name))).toEqual([]);
    expect(medianSlowdown(rows)).toBeLessThanOrEqual(FACTOR);
  }, 3_600_000);
});

function costsMore({ name, pages: [small = 0, large = 0] }: Comparison): boolean {
  return large > FACTOR * small + CHANCE_PAGES + (ADDED_PAGES[name] ?? 0);
}

/** A single time says little on a busy machine. */
function medianSlowdown(rows: Comparison[]): number {
  const alike = rows.filter(({ name }) => ADDED_PAGES[name] === undefined);
  const factors = alike.map(({ ms: [small = 0, large = 0] }) => large / Math.max(small, 0.01)).sort((a, b) => a - b);
  return factors[Math.floor(factors.length / 2)] ?? Number.NaN;
}

function toLine({ name, pages, ms, planningMs, planned }: Comparison): string {
  const [took, tookToPlan] = [ms, planningMs].map((times) => times.map((time) => time.toFixed(2)));
  return [name, pages, took, tookToPlan, planned].map(String).join(' | ');
}
