import { seeded } from '../bench/gpu/traces';

/** What a client or an operator does. `of` names the operation whose job it concerns. */
export const OPERATION_KINDS = [
  'create',
  'cancel',
  'read',
  'wait',
  'list',
  'events',
  'balance',
  'usage',
  'quote',
  'receipt',
  'delete_outputs',
  'delete_content',
  'top_up',
  'limits',
  'key',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

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

/** Two creations with one tag send the same bytes; each is a repeat of the other. */
export interface Creation {
  endpoint: 'image' | 'edit' | 'openai';
  key: string | null;
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
  /** Of a top-up; the new limit of jobs of `limits`. */
  amount: number;
}

/** What a TCP proxy does to its connections, what happens to a process, and what happens to a store. */
export const LINK_FAULTS = ['cut', 'refuse', 'delay', 'half_open', 'lose_answers', 'reset_after'] as const;
export const LINKS = ['postgres', 'nats', 'backend', 'receiver', 'gateway', 'gateway-2'] as const;
export const PROCESS_FAULTS = ['kill', 'stop'] as const;
export const PROCESSES = [
  ...['gateway', 'gateway-2', 'jobs', 'jobs-2', 'billing', 'billing-2'],
  ...['webhook-dispatcher', 'webhook-dispatcher-2', 'moderation', 'catalog', 'sandbox'],
] as const;
export const STORE_FAULTS = ['crash_backend', 'crash_server', 'crash_power'] as const;
export const BROKER_FAULTS = ['restart', 'wipe', 'truncate', 'flip'] as const;

const FAULTS = {
  link: [LINK_FAULTS, LINKS],
  process: [PROCESS_FAULTS, PROCESSES],
  database: [STORE_FAULTS, ['postgres']],
  broker: [BROKER_FAULTS, ['nats']],
} as const;

export interface Fault {
  id: number;
  atMs: number;
  /** How long it lasts, where it does not end by itself. */
  forMs: number;
  group: keyof typeof FAULTS;
  kind:
    | (typeof LINK_FAULTS)[number]
    | (typeof PROCESS_FAULTS)[number]
    | (typeof STORE_FAULTS)[number]
    | (typeof BROKER_FAULTS)[number];
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

  constructor(seed: number) {
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

  /** Each choice with the same chance, and at least one. */
  subset<Choice>(choices: readonly Choice[], share: number): Choice[] {
    const chosen = choices.filter(() => this.chance(share));
    return chosen.length > 0 ? chosen : [this.pick(choices)];
  }
}

/** Swarm testing: each seed has only some kinds of operations and faults, so that runs differ in kind. */
export function drawPlan(seed: number): Plan {
  const choices = new SeededChoices(seed);
  const accounts = Array.from({ length: choices.between(1, 4) }, () => ({
    balanceMicros: choices.pick([100_000, 400_000, 10_000_000]),
    maxConcurrentJobs: choices.pick([2, 5, 1_000]),
  }));
  return { seed, accounts, operations: drawOperations(choices, accounts.length), faults: drawFaults(choices) };
}

/** The part of a plan with these ids; null keeps all. */
export function keepOnly(plan: Plan, operations: readonly number[] | null, faults: readonly number[] | null): Plan {
  const keep = <Item extends { id: number }>(items: Item[], ids: readonly number[] | null): Item[] =>
    items.filter(({ id }) => ids === null || ids.includes(id));
  return { ...plan, operations: keep(plan.operations, operations), faults: keep(plan.faults, faults) };
}

function drawOperations(choices: SeededChoices, accounts: number): Operation[] {
  const others = choices.subset(OPERATION_KINDS.slice(1), 0.6);
  const creations = drawCreations(choices);
  const createShare = choices.pick([0.3, 0.5, 0.8]);
  const times = Array.from({ length: choices.between(40, MOST_OPERATIONS) }, () => choices.below(RUN_MS));
  const operations: Operation[] = [];
  for (const atMs of times.sort((one, other) => one - other)) {
    const account = choices.below(accounts);
    const isCreation = operations.length === 0 || choices.chance(createShare);
    const kind = isCreation ? 'create' : choices.pick(others);
    const earlier = operations.filter((one) => one.creation && one.account === account);
    const of = earlier.length > 0 ? choices.pick(earlier.slice(kind === 'read' ? -2 : -6)).id : null;
    const [gateway, amount] = [choices.below(2), choices.between(1, 20)];
    // A client polls, and each of its reads may reach another process.
    for (let poll = 0; poll < (kind === 'read' ? POLLS : 1); poll++) {
      const id = operations.length;
      const creation = isCreation ? creations(id, earlier) : null;
      const place = { atMs: atMs + poll * POLL_EVERY_MS, gateway: (gateway + poll) % 2 };
      operations.push({ id, ...place, account, kind, of, creation, amount });
    }
  }
  return operations;
}

/** Draws what the creations of a run have in common, and then each one. */
function drawCreations(choices: SeededChoices): (id: number, earlier: Operation[]) => Creation {
  const endpoints = choices.subset(['image', 'edit', 'openai'] as const, 0.6);
  const directives = choices.subset(DIRECTIVES, 0.5);
  const receivers = choices.subset(RECEIVERS, 0.6);
  const [keyShare, repeatShare, receiverShare] = [
    choices.pick([0.2, 0.6, 1]),
    choices.pick([0, 0.3]),
    choices.pick([0, 0.5, 1]),
  ];
  return (id, earlier) => {
    const repeated = choices.pick(earlier.filter((one) => one.creation?.key).slice(-4))?.creation;
    if (repeated && choices.chance(repeatShare))
      return choices.chance(0.6) ? repeated : { ...repeated, tag: `${repeated.tag}-other` };
    return {
      endpoint: choices.pick(endpoints),
      key: choices.chance(keyShare) ? `key-${id}` : null,
      tag: `tag-${id}`,
      directive: choices.chance(0.5) ? '' : choices.pick(directives),
      n: choices.pick([1, 1, 2]),
      receiver: choices.chance(receiverShare) ? choices.pick(receivers) : null,
    };
  };
}

function drawFaults(choices: SeededChoices): Fault[] {
  const groups = choices.subset(Object.keys(FAULTS) as (keyof typeof FAULTS)[], 0.5);
  return Array.from({ length: choices.pick([0, 2, 4, 8, 12]) }, (_, id) => {
    const group = choices.pick(groups);
    const [kinds, targets] = FAULTS[group];
    const atMs = choices.below(LAST_FAULT_MS);
    const forMs = choices.between(100, 5_000);
    return {
      id,
      atMs,
      forMs,
      group,
      kind: choices.pick<Fault['kind']>(kinds),
      target: choices.pick<string>(targets),
      bytes: choices.pick([10, 300, 5_000]),
    };
  });
}
