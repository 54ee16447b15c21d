import { seeded } from '../bench/gpu/traces';

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

/** What a TCP proxy does to its connections, what happens to a process, and what happens to a store. */
export const LINK_FAULTS = ['cut', 'refuse', 'delay', 'half_open', 'lose_answers', 'reset_after'] as const;
export const LINKS = ['postgres', 'nats', 'backend', 'receiver', 'gateway', 'gateway-2'] as const;
export const PROCESS_FAULTS = ['kill', 'stop', 'clock'] as const;
export const PROCESSES = [
  ...['gateway', 'gateway-2', 'jobs', 'jobs-2', 'billing', 'billing-2'],
  ...['webhook-dispatcher', 'webhook-dispatcher-2', 'moderation', 'catalog', 'sandbox'],
] as const;
export const STORE_FAULTS = ['crash_backend', 'crash_server', 'crash_power', 'read_only'] as const;
export const BROKER_FAULTS = ['restart', 'wipe', 'truncate', 'flip'] as const;
export const BACKEND_FAULTS = ['forget', 'lie', 'garble', 'duplicate', 'late'] as const;

const FAULTS = {
  link: [LINK_FAULTS, LINKS],
  process: [PROCESS_FAULTS, PROCESSES],
  database: [STORE_FAULTS, ['postgres']],
  broker: [BROKER_FAULTS, ['nats']],
  backend: [BACKEND_FAULTS, ['sandbox']],
} as const;
export type FaultGroup = keyof typeof FAULTS;
export type FaultKind = (typeof FAULTS)[FaultGroup][0][number];

export interface Fault {
  id: number;
  atMs: number;
  /** How long it lasts, where it does not end by itself. */
  forMs: number;
  group: FaultGroup;
  kind: FaultKind;
  target: string;
  /** The bytes that pass before a reset. */
  bytes: number;
}

export interface AccountPlan {
  balanceMicros: number;
  maxConcurrentJobs: number;
}

/** One run, wholly decided by its seed. */
export interface Plan {
  seed: number;
  accounts: AccountPlan[];
  operations: Operation[];
  faults: Fault[];
}

export const RUN_MS = 25_000;
/** No fault begins in the last part, so that the run sees what follows from each. */
const LAST_FAULT_MS = 20_000;
const MOST_OPERATIONS = 160;
const POLLS = 4;
const POLL_EVERY_MS = 250;

/** Choices of one seed. */
class SeededChoices {
  private readonly next: () => number;

  constructor(readonly seed: number) {
    this.next = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Choice>(from: readonly Choice[]): Choice {
    return from[this.below(from.length)] as Choice;
  }

  /** Each choice with the same chance, and always one by turns, so that a set of seeds has all. */
  subset<Choice>(choices: readonly Choice[], share: number): Choice[] {
    return choices.filter((_, index) => this.chance(share) || index === this.seed % choices.length);
  }
}

/**
 * Swarm testing: each seed has only some kinds of operations and faults, so that runs differ in kind.
 * @param share of the time and of the operations.
 */
export function drawPlan(seed: number, share = 1): Plan {
  const choices = new SeededChoices(seed);
  const accounts = Array.from({ length: choices.between(1, 4) }, () => ({
    balanceMicros: choices.pick([100_000, 400_000, 10_000_000]),
    maxConcurrentJobs: choices.pick([2, 5, 1_000]),
  }));
  const operations = drawOperations(choices, accounts.length, share);
  return { seed, accounts, operations, faults: drawFaults(choices, share) };
}

/** The part of a plan with these ids; null keeps all. */
export function keepOnly(plan: Plan, operations: readonly number[] | null, faults: readonly number[] | null): Plan {
  const keep = <Item extends { id: number }>(items: Item[], ids: readonly number[] | null): Item[] =>
    items.filter(({ id }) => ids === null || ids.includes(id));
  return { ...plan, operations: keep(plan.operations, operations), faults: keep(plan.faults, faults) };
}

function drawOperations(choices: SeededChoices, accounts: number, share: number): Operation[] {
  const others = choices.subset(OPERATION_KINDS.slice(1), 0.6);
  const creations = drawCreations(choices);
  const createShare = choices.pick([0.3, 0.5, 0.8]);
  const count = Math.ceil(choices.between(40, MOST_OPERATIONS) * share);
  const times = Array.from({ length: count }, () => choices.below(RUN_MS * share));
  const operations: Operation[] = [];
  for (const atMs of times.sort((one, other) => one - other)) {
    const account = choices.below(accounts);
    const isCreation = operations.length === 0 || choices.chance(createShare);
    const kind = isCreation ? 'create' : choices.pick(others);
    const earlier = operations.filter((one) => one.creation && one.account === account);
    const of = choices.pick(subjectsOf(kind, earlier, operations))?.id ?? null;
    const [gateway, amount, card] = [choices.below(2), choices.between(1, 20), choices.pick(CARDS)];
    // A client polls, and each of its reads may reach another process.
    for (let poll = 0; poll < (kind === 'read' ? POLLS : 1); poll++) {
      const id = operations.length;
      const creation = isCreation ? creations(id, earlier) : null;
      const place = { atMs: atMs + poll * POLL_EVERY_MS, gateway: (gateway + poll) % 2 };
      operations.push({ id, ...place, account, kind, of, creation, amount, card });
    }
  }
  return operations;
}

/** The operations that one may concern: recent ones, a payment of a refund, a blocked job of an appeal, a webhook's job of a deletion. */
function subjectsOf(kind: OperationKind, creations: Operation[], all: Operation[]): Operation[] {
  if (kind === 'refund') return all.filter((one) => one.kind === 'pay').slice(-4);
  const blocked = creations.filter(({ creation }) => creation?.directive === '[[output:blocked]]');
  if (kind === 'appeal' && blocked.length > 0) return blocked;
  const announced = creations.filter(({ creation }) => creation?.receiver && creation.endpoint !== 'openai');
  if (kind === 'delete_content' && announced.length > 0) return announced;
  return creations.slice(kind === 'read' ? -2 : -6);
}

/** Draws what the creations of a run have in common, and then each one. */
function drawCreations(choices: SeededChoices): (id: number, earlier: Operation[]) => Creation {
  const endpoints = choices.subset(ENDPOINTS, 0.4);
  const drawn = choices.subset(DIRECTIVES, 0.5);
  // One in three runs has many jobs of one kind, which together lead further: five blocks suspend an account.
  const isUniform = choices.seed % 3 === 0;
  const directives = isUniform ? [DIRECTIVES[(choices.seed / 3) % DIRECTIVES.length] ?? ''] : drawn;
  const receivers = choices.subset(RECEIVERS, 0.6);
  const [directiveShare, keyShare, repeatShare, receiverShare] = [
    choices.pick([0.2, 0.5, 0.9]),
    choices.pick([0.2, 0.6, 1]),
    choices.pick([0, 0.3]),
    choices.pick([0, 0.5, 1]),
  ];
  return (id, earlier) => {
    const repeatable = earlier.filter(({ creation }) => creation?.key || creation?.endpoint === 'openai').slice(-4);
    const repeated = choices.pick(repeatable)?.creation;
    if (repeated && choices.chance(repeatShare)) {
      if (repeated.key === null) return { ...repeated, isMarked: choices.chance(0.8) };
      return choices.chance(0.6) ? repeated : { ...repeated, tag: `${repeated.tag}-other` };
    }
    return {
      endpoint: choices.pick(endpoints),
      key: choices.chance(keyShare) ? `key-${id}` : null,
      isMarked: false,
      tag: `tag-${id}`,
      directive: choices.chance(isUniform ? 0.8 : directiveShare) ? choices.pick(directives) : '',
      n: choices.pick([1, 1, 2]),
      receiver: choices.chance(receiverShare) ? choices.pick(receivers) : null,
    };
  };
}

function drawFaults(choices: SeededChoices, share: number): Fault[] {
  const groups = choices.subset(Object.keys(FAULTS) as FaultGroup[], 0.4);
  return Array.from({ length: choices.pick([0, 2, 4, 8, 12]) }, (_, id) => {
    const [group, kind] = id < BY_TURNS ? kindByTurns(choices.seed * BY_TURNS + id) : drawKind(choices, groups);
    return {
      id,
      atMs: choices.below(LAST_FAULT_MS * share),
      forMs: choices.between(100, 5_000),
      group,
      kind,
      target: choices.pick<string>(FAULTS[group][1]),
      bytes: choices.pick([10, 300, 5_000]),
    };
  });
}

/** So many faults of each run are not drawn, so that a set of seeds has all kinds. */
const BY_TURNS = 2;

function kindByTurns(place: number): [FaultGroup, FaultKind] {
  const all = (Object.keys(FAULTS) as FaultGroup[]).flatMap((group) =>
    FAULTS[group][0].map((kind): [FaultGroup, FaultKind] => [group, kind]),
  );
  return all[place % all.length] as [FaultGroup, FaultKind];
}

function drawKind(choices: SeededChoices, groups: FaultGroup[]): [FaultGroup, FaultKind] {
  const group = choices.pick(groups);
  return [group, choices.pick<FaultKind>(FAULTS[group][0])];
}
