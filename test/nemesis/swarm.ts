import { type Fault, drawFaults } from './fault-plan';
import { type Installation, installationOf } from './installations';
import { SeededChoices } from './seeded-choices';

/** What a client or an operator does. `of` names the operation whose job it concerns. */
export const OPERATION_KINDS = [
  'create',
  'cancel',
  'read',
  'wait',
  'follow',
  'list',
  'events',
  'feed',
  'balance',
  'usage',
  'quote',
  'receipt',
  'delete_outputs',
  'delete_content',
  'appeal',
  'pay',
  'refund',
  'top_up',
  'limits',
  'price',
  'lift',
  'key',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** What an operation would find nothing without. */
const NEEDS: Partial<Record<OperationKind, readonly OperationKind[]>> = {
  refund: ['pay'],
  lift: ['appeal'],
  appeal: ['lift'],
};

const REPEATS: readonly OperationKind[] = ['list', 'balance'];
const STRIKES: readonly OperationKind[] = ['appeal', 'lift', 'key', 'limits'];
/**
 * Every second run concentrates on one of these, with accounts that have money and slots for all it does: what needs several steps in
 * a row, such as the deletion of a delivered job, then happens many times.
 */
const THEMES = [
  STRIKES,
  ['events', 'feed', 'receipt', 'delete_outputs', 'delete_content'],
  REPEATS,
  ['balance', 'usage', 'pay', 'refund', 'top_up', 'price'],
  ['cancel', 'read', 'wait', 'follow', 'list', 'quote'],
] as const;

/** Undefined for a run with a bit of everything. */
function themeOf(seed: number): readonly OperationKind[] | undefined {
  return seed % 2 === 0 ? THEMES[(seed / 2) % THEMES.length] : undefined;
}

/** Those that cannot be called before a creation has named its job. */
const OF_A_JOB: readonly OperationKind[] = [
  ...(['cancel', 'read', 'wait', 'follow', 'receipt', 'delete_outputs', 'delete_content', 'appeal'] as const),
];

export const DELETIONS: readonly OperationKind[] = ['delete_outputs', 'delete_content'];

/** Cards of the sandbox provider, which say what becomes of a payment. */
export const CARDS = ['succeeds', 'declined', 'second_step', 'disputed', 'dispute_won'] as const;
export type Card = (typeof CARDS)[number];
export const DISPUTED_CARDS: readonly Card[] = ['disputed', 'dispute_won'];

export const RECEIVERS = ['good', 'slow', 'failing', 'hanging', 'redirecting'] as const;
export type ReceiverKind = (typeof RECEIVERS)[number];

/** Directives of the sandbox, which say how a job ends where no fault hits it. */
export const DIRECTIVES = [
  '',
  '[[delay:800ms]]',
  '[[delay:5s]]',
  '[[fail:error]]',
  '[[fail:lost]]',
  '[[fail:corrupt]]',
  '[[output:blocked]]',
] as const;
export type Directive = (typeof DIRECTIVES)[number];

/** One in three runs has many jobs of one kind and account, which together lead further: five blocks suspend an account. */
const UNIFORM_EVERY = 3;
const UNIFORM_DIRECTIVES: readonly Directive[] = ['[[output:blocked]]', '[[delay:5s]]', '[[fail:lost]]'];

function isUniform(seed: number): boolean {
  return seed % UNIFORM_EVERY === 0 || themeOf(seed) === STRIKES;
}

function uniformDirective(seed: number): Directive {
  return themeOf(seed) === STRIKES ? '[[output:blocked]]' : (UNIFORM_DIRECTIVES[(seed / UNIFORM_EVERY) % 3] ?? '');
}

export const ENDPOINTS = ['image', 'edit', 'openai', 'video'] as const;

/** Two creations with one tag send the same bytes; each is a repeat of the other. */
export interface Creation {
  endpoint: (typeof ENDPOINTS)[number];
  key: string | null;
  /** Whether the client of OpenAI marks the request as a repeat. */
  isMarked: boolean;
  tag: string;
  directive: Directive;
  n: number;
  receiver: ReceiverKind | null;
}

export interface Operation {
  id: number;
  atMs: number;
  account: number;
  /** Which of the two gateways. */
  gateway: number;
  kind: OperationKind;
  of: number | null;
  creation: Creation | null;
  /** Of a top-up, a payment or a refund; the new limit of jobs; a tenth of the new price. */
  amount: number;
  card: Card;
}

export interface AccountPlan {
  balanceMicros: number;
  maxConcurrentJobs: number;
}

/** One run, wholly decided by its seed. */
export interface Plan {
  seed: number;
  installation: Installation;
  accounts: AccountPlan[];
  operations: Operation[];
  faults: Fault[];
}

export const RUN_MS = 25_000;
/** Ranges of how many operations a run draws: a few with time between them, or as many as two cores answer beside the faults. */
const COUNTS = [
  [40, 160],
  [400, 1_200],
  [1_400, 2_600],
  [1_400, 2_600],
  [1_400, 2_600],
] as const;
/** Drawing, screening and signing an image takes far longer than an answer, so most creations of a dense run are repeats. */
const MOST_JOBS = [50, 150, 300];
const CREATIONS_OF_A_JOB = 3;
/** Operations begin at any time, or together at multiples of this. */
const BURSTS_EVERY_MS = [1, 1, 200, 2_000];
const POLLS = 4;
const POLL_EVERY_MS = 250;
/** An operation concerns a job that was created not longer ago, or one of the last few. */
const RECENT_MS = 3_000;
const RECENT_CREATIONS = 6;
/** So often it concerns any job, which may have ended. */
const LATE_EVERY = 3;

/**
 * Swarm testing: each seed has only some kinds of operations and faults, so that runs differ in kind.
 * @param share of the time and of the operations.
 */
export function drawPlan(seed: number, share = 1): Plan {
  const choices = new SeededChoices(seed);
  const [balances, limits] = themeOf(seed)
    ? [[100_000_000], [1_000]]
    : [
        [100_000, 400_000, 10_000_000, 100_000_000],
        [2, 5, 1_000, 1_000],
      ];
  const accounts = Array.from({ length: isUniform(seed) ? 1 : choices.between(1, 4) }, () => ({
    balanceMicros: choices.pick(balances),
    maxConcurrentJobs: choices.pick(limits),
  }));
  const operations = drawOperations(choices, accounts.length, share);
  const installation = installationOf(seed);
  return { seed, installation, accounts, operations, faults: drawFaults(choices, installation, share) };
}

/**
 * What clients and operators of the baseline already did. A deletion of content is left out: a dispatcher of the baseline cannot
 * write deliveries into the partitions, and answers it with 500 until it is replaced; a sweep then completes the deletion.
 */
const OF_BASELINE: readonly OperationKind[] = [
  ...(['create', 'cancel', 'read', 'wait', 'follow', 'list', 'events', 'feed', 'balance', 'usage', 'quote'] as const),
  ...(['receipt', 'delete_outputs', 'top_up', 'limits', 'key'] as const),
];
const UPGRADE_AT_MS = 5_000;

/** The plan of a stack that begins as the baseline, and changes to this version while the run goes on. */
export function withUpgrade({ operations, faults, ...plan }: Plan): Plan {
  const upgrade = { id: faults.length, atMs: UPGRADE_AT_MS, forMs: 0, group: 'version', kind: 'upgrade' } as const;
  return {
    ...plan,
    operations: operations.filter(({ kind }) => OF_BASELINE.includes(kind)),
    // The stores stay whole: an upgrade that cannot migrate ends at its start, and is begun again by its operator.
    faults: [
      ...faults.filter(({ group }) => group === 'process' || group === 'backend'),
      { ...upgrade, target: 'stack', bytes: 0 },
    ],
  };
}

/** The part of a plan with these ids; null keeps all. */
export function keepOnly(plan: Plan, operations: readonly number[] | null, faults: readonly number[] | null): Plan {
  const keep = <Item extends { id: number }>(items: Item[], ids: readonly number[] | null): Item[] => {
    const kept = ids && new Set(ids);
    return items.filter(({ id }) => kept === null || kept.has(id));
  };
  return { ...plan, operations: keep(plan.operations, operations), faults: keep(plan.faults, faults) };
}

function drawOperations(choices: SeededChoices, accounts: number, share: number): Operation[] {
  const theme = themeOf(choices.seed);
  const drawn = theme ?? choices.subset(OPERATION_KINDS.slice(1), 0.6);
  const others = [...drawn, ...drawn.flatMap((kind) => NEEDS[kind] ?? [])];
  const createShare = theme === REPEATS || theme === STRIKES ? 0.8 : choices.pick(theme ? [0.3, 0.5] : [0.3, 0.5, 0.8]);
  const [fewest, most] = choices.pick(COUNTS);
  const count = Math.ceil(choices.between(fewest, most) * share);
  const mostJobs = choices.pick(MOST_JOBS) * share;
  const creationShare = Math.min(createShare, (mostJobs * CREATIONS_OF_A_JOB) / count);
  const creations = drawCreations(choices, 1 - mostJobs / (count * creationShare));
  const burstMs = choices.pick(BURSTS_EVERY_MS);
  const times = Array.from({ length: count }, () => choices.below((RUN_MS * share) / burstMs) * burstMs);
  const operations: Operation[] = [];
  const creationsOf: Operation[][] = Array.from({ length: accounts }, () => []);
  const payments: Operation[] = [];
  for (const atMs of times.sort((one, other) => one - other)) {
    const drawnAccount = choices.below(accounts);
    const isCreation = operations.length === 0 || choices.chance(creationShare);
    const kind = isCreation ? 'create' : choices.pick(others);
    const earlier = creationsOf[drawnAccount] as Operation[];
    const isLate = operations.length % LATE_EVERY === 0;
    const subject = choices.pick(kind === 'refund' ? payments.slice(-4) : jobsFor(kind, earlier, isLate ? 0 : atMs));
    const of = subject?.id ?? null;
    const account = subject?.account ?? drawnAccount;
    const [gateway, amount, card] = [choices.below(2), choices.between(1, 20), choices.pick(CARDS)];
    // A client polls, and each of its reads may reach another process.
    for (let poll = 0; poll < (kind === 'read' ? POLLS : 1); poll++) {
      const id = operations.length;
      const creation = isCreation ? creations(id, earlier) : null;
      const place = { atMs: atMs + poll * POLL_EVERY_MS, gateway: (gateway + poll) % 2 };
      const operation = { id, ...place, account, kind, of, creation, amount, card };
      operations.push(operation);
      if (isCreation) earlier.push(operation);
      if (kind === 'pay') payments.push(operation);
    }
  }
  return operations;
}

/** The creations whose job one may concern: recent ones (at 0 all), a blocked job of an appeal, a webhook's job of a deletion. */
function jobsFor(kind: OperationKind, creations: Operation[], beforeMs: number): Operation[] {
  if (!OF_A_JOB.includes(kind)) return [];
  // The answers of OpenAI's API name no job.
  const named = creations.filter(({ creation }) => creation?.endpoint !== 'openai');
  const blocked = named.filter(({ creation }) => creation?.directive === '[[output:blocked]]');
  if (kind === 'appeal' && blocked.length > 0) return blocked;
  const announced = named.filter(({ creation }) => creation?.receiver);
  if (kind === 'delete_content' && announced.length > 0) return announced;
  const recent = named.filter((creation) => creation.atMs > beforeMs - RECENT_MS);
  return recent.length < RECENT_CREATIONS ? named.slice(-RECENT_CREATIONS) : recent;
}

/** Draws what the creations of a run have in common, and then each one. */
function drawCreations(choices: SeededChoices, leastRepeats: number): (id: number, earlier: Operation[]) => Creation {
  const isOfRepeats = themeOf(choices.seed) === REPEATS;
  const endpoints: readonly Creation['endpoint'][] = isOfRepeats ? ['openai', 'image'] : choices.subset(ENDPOINTS, 0.4);
  const drawn = choices.subset(DIRECTIVES, 0.5);
  const directives = isUniform(choices.seed) ? [uniformDirective(choices.seed)] : drawn;
  const receivers = choices.subset(RECEIVERS, 0.6);
  const [directiveShare, keyShare, repeatShare, receiverShare] = [
    choices.pick([0.2, 0.5, 0.9]),
    choices.pick(isOfRepeats ? [0.2, 0.6] : [0.2, 0.6, 1]),
    choices.pick(isOfRepeats ? [0.5] : [0, 0.3]),
    choices.pick(themeOf(choices.seed) ? [0.5, 1] : [0, 0.5, 1]),
  ];
  // A recent request, which is still being answered, or any.
  const repeatsWithin = isOfRepeats ? Infinity : choices.pick([4, Infinity]);
  return (id, earlier) => {
    const repeatable = earlier.filter(({ creation }) => creation?.key || creation?.endpoint === 'openai');
    const repeated = choices.pick(repeatable.slice(-repeatsWithin))?.creation;
    if (repeated && choices.chance(Math.max(repeatShare, leastRepeats))) {
      if (repeated.key === null) return { ...repeated, isMarked: choices.chance(0.8) };
      return choices.chance(0.6) ? repeated : { ...repeated, tag: `${repeated.tag}-other` };
    }
    return {
      endpoint: choices.pick(endpoints),
      key: choices.chance(keyShare) ? `key-${id}` : null,
      isMarked: false,
      tag: `tag-${id}`,
      directive: choices.chance(isUniform(choices.seed) ? 0.8 : directiveShare) ? choices.pick(directives) : '',
      n: choices.pick([1, 1, 2]),
      receiver: choices.chance(receiverShare) ? choices.pick(receivers) : null,
    };
  };
}
