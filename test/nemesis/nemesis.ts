// Random operations and faults by a seed against a whole stack: `npm run nemesis -- --seed N` (README.md).
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { textTable } from '../bench/goals';
import { type Violation, findViolations } from './checker';
import { type History, groupBy } from './history';
import { Receivers } from './receivers';
import { runPlan } from './run-plan';
import { shrink } from './shrink';
import { neverReached, reachedStates } from './sometimes';
import { NemesisStack } from './stack';
import { type Plan, drawPlan, keepOnly, withUpgrade } from './swarm';

/** 1 is a violation of the product, 2 a failure of this program, 3 a state that a set of runs has never reached. */
const EXIT = { violation: 1, failure: 2, blind: 3 };
const SHRINK_ATTEMPTS = 20;
/** So many runs must reach every state of the list. */
const WHOLE_SET = 20;
const FAILED_HISTORIES = path.resolve('.kinora/nemesis');

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    operations: { type: 'string' },
    faults: { type: 'string' },
    from: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
});

/** The built programs of an earlier release. */
const EARLIER = options.from === undefined ? undefined : path.resolve(options.from, 'dist');

class Nemesis {
  private readonly rows: (string | number)[][] = [];
  private readonly reached = new Set<string>();
  /** Keys of the files that jobs have shown at rest. */
  private readonly shownFiles = new Set<string>();
  private stack: NemesisStack | null = null;

  constructor(private readonly receivers: Receivers) {}

  /** Runs seeds until one finds a violation. */
  async run(plans: Plan[]): Promise<number> {
    // An upgrade changes its stack for good.
    const stacks = groupBy(plans, ({ seed, installation }) => (EARLIER === undefined ? installation : `${seed}`));
    for (const some of stacks.values()) {
      const [{ installation }] = some as [Plan];
      this.stack = await NemesisStack.start(this.receivers.port, installation, EARLIER);
      try {
        if (!(await this.runAt(this.stack, some))) return EXIT.violation;
      } finally {
        await this.stop();
      }
    }
    console.log(textTable(['Seed', 'Operations', 'Faults', 'Unknown', 'Violations', 'Rest, s'], this.rows));
    const missing = neverReached(this.reached);
    console.log(`${this.reached.size} states reached; never: ${missing.join(', ') || 'none'}`);
    return plans.length >= WHOLE_SET && missing.length > 0 ? EXIT.blind : 0;
  }

  async stop(): Promise<void> {
    await this.stack?.end();
    this.stack = null;
  }

  /** @returns whether no rule was broken. */
  private async runAt(stack: NemesisStack, plans: Plan[]): Promise<boolean> {
    for (const plan of plans) {
      const violations = await this.runOne(stack, plan);
      if (violations.length === 0) continue;
      for (const { rule, what } of violations) console.log(`  ${rule}: ${what}`);
      const rules = new Set(violations.map(({ rule }) => rule));
      const isWhole = options['no-shrink'] || EARLIER !== undefined;
      console.log(replayLine(isWhole ? plan : await this.shrink(stack, plan, rules)));
      return false;
    }
    const orphans = await stack.findOrphans(this.shownFiles);
    for (const key of orphans) console.log(`  the sweep leaves no file without a job: ${key}`);
    return orphans.length === 0;
  }

  private async runOne(stack: NemesisStack, plan: Plan): Promise<Violation[]> {
    const history = await runPlan(plan, stack, this.receivers);
    const violations = findViolations(history);
    for (const state of reachedStates(history)) this.reached.add(state);
    for (const key of history.rest.accounts.flatMap(({ files }) => files)) this.shownFiles.add(key);
    const unknown = history.calls.filter(({ answeredAtMs }) => answeredAtMs === null).length;
    const faults = plan.faults.map(({ kind, target }) => `${kind} ${target}`).join(', ') || 'none';
    const seconds = history.rest.tookMs / 1000;
    const row = [plan.seed, history.calls.length, faults, unknown, violations.length, seconds];
    this.rows.push(row);
    console.log(
      `seed ${plan.seed}: ${history.calls.length} operations, ${unknown} unknown, ${violations.length} violations, ` +
        `at rest after ${seconds.toFixed(1)} s; faults: ${faults}`,
    );
    if (violations.length > 0) await keep(history, violations);
    return violations;
  }

  /** A smaller plan that breaks one of the same rules. */
  private async shrink(stack: NemesisStack, plan: Plan, rules: Set<string>): Promise<Plan> {
    const fails = async (candidate: Plan): Promise<boolean> =>
      (await this.runOne(stack, candidate)).some(({ rule }) => rules.has(rule));
    return await shrink(plan, fails, SHRINK_ATTEMPTS);
  }
}

function planOf(seed: number): Plan {
  return EARLIER === undefined ? drawPlan(seed) : withUpgrade(drawPlan(seed));
}

function replayLine({ seed, operations, faults }: Plan): string {
  const from = options.from === undefined ? '' : ` --from ${options.from}`;
  return `npm run nemesis -- --seed ${seed} --operations ${writeIds(operations)} --faults ${writeIds(faults)}${from}`;
}

async function keep(history: History, violations: Violation[]): Promise<void> {
  await mkdir(FAILED_HISTORIES, { recursive: true });
  const file = path.join(FAILED_HISTORIES, `seed-${history.plan.seed}.json`);
  await writeFile(file, JSON.stringify({ violations, ...history }, null, 1));
}

/** `0-2,5`, or `none`. */
function writeIds(items: { id: number }[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const { id } of items) {
    const range = ranges.at(-1);
    if (range?.[1] === id - 1) range[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join() || 'none';
}

/** Null: all. */
function readIds(text: string | undefined): number[] | null {
  if (text === undefined) return null;
  if (text === 'none') return [];
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

async function main(): Promise<number> {
  const [first, runs] = [Number(options.seed), Number(options.runs)];
  if (!Number.isInteger(first) || !Number.isInteger(runs) || runs < 1)
    throw new Error('--seed and --runs are whole numbers.');
  const plans = Array.from({ length: runs }, (_, index) =>
    keepOnly(planOf(first + index), readIds(options.operations), readIds(options.faults)),
  );
  const receivers = await Receivers.start();
  const nemesis = new Nemesis(receivers);
  // The launcher of a stack would survive this process.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => void nemesis.stop().finally(() => process.exit(EXIT.failure)));
  try {
    return await nemesis.run(plans);
  } finally {
    await receivers.close();
  }
}

main().then(
  // What a run has given up may still hold connections.
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(EXIT.failure);
  },
);
