import { DISKS, type Installation, SERVERS } from './installations';
import type { SeededChoices } from './seeded-choices';

/** What a TCP proxy does to its connections, what happens to a process, and what happens to a store. */
export const LINK_FAULTS = ['cut', 'refuse', 'delay', 'half_open', 'lose_answers', 'reset_after'] as const;
export const LINKS = ['postgres', 'nats', 'backend', 'receiver', 'gateway', 'gateway-2'] as const;
/** Of the clustered installation alone. */
export const CLUSTER_LINKS = ['nats-2', 'nats-3', 'objects', 'objects', 'stripe'] as const;
export const PROCESS_FAULTS = ['kill', 'restart', 'stop', 'clock'] as const;
const PROCESSES = [
  ...['gateway', 'gateway-2', 'jobs', 'jobs-2', 'billing', 'billing-2'],
  ...['webhook-dispatcher', 'webhook-dispatcher-2', 'moderation', 'catalog', 'sandbox'],
] as const;
export const STORE_FAULTS = ['crash_backend', 'crash_server', 'crash_power', 'read_only', 'failover'] as const;
/** A process that is stopped for longer than its leases goes on after another one has taken over. */
export const LEASE_FAULTS = ['outlast'] as const;
export const LEDGER_FAULTS = ['month_ends'] as const;
export const BROKER_FAULTS = ['restart', 'wipe', 'truncate', 'flip'] as const;
export const BACKEND_FAULTS = ['forget', 'lie', 'garble', 'duplicate', 'late'] as const;

/** What such a fault leads to needs work that is under way just then. */
const often = <Kind>(kinds: readonly Kind[]): readonly Kind[] => [kinds, kinds, kinds].flat();

const ANYWHERE = {
  process: [PROCESS_FAULTS, PROCESSES],
  lease: [often(LEASE_FAULTS), ['jobs', 'jobs-2']],
  database: [STORE_FAULTS, ['postgres']],
  ledger: [often(LEDGER_FAULTS), ['billing', 'billing-2']],
  backend: [BACKEND_FAULTS, ['sandbox']],
} as const;
const FAULTS = {
  single: { ...ANYWHERE, link: [LINK_FAULTS, LINKS], broker: [BROKER_FAULTS, SERVERS.single], disk: [['full'], DISKS] },
  clustered: {
    ...ANYWHERE,
    link: [LINK_FAULTS, [...LINKS, ...CLUSTER_LINKS]],
    // A member of a Raft group that has lost its files must first be removed from it.
    broker: [['restart'], SERVERS.clustered],
  },
} as const;
type DrawnGroup = keyof (typeof FAULTS)['single'];
/** A change of version is not drawn: it needs the build of an earlier release. */
export type FaultGroup = DrawnGroup | 'version';
type FaultKind = (typeof FAULTS)['single'][DrawnGroup][0][number] | 'upgrade';

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

/** No fault begins in the last part, so that the run sees what follows from each. */
const LAST_FAULT_MS = 20_000;
/** So many faults of each run are not drawn, so that a set of seeds has all kinds. */
const BY_TURNS = 4;
/** Apart from each other, since a stream that was wiped has no file to damage; prime to the number of kinds. */
const STRIDE = 11;

export function drawFaults(choices: SeededChoices, installation: Installation, share: number): Fault[] {
  const faults = Object.entries(FAULTS[installation]) as [FaultGroup, readonly [FaultKind[], string[]]][];
  const drawn = choices.subset(faults, 0.4);
  const all = faults.flatMap(([group, [kinds, targets]]) => kinds.map((kind) => [group, kind, targets] as const));
  return Array.from({ length: choices.pick([0, 4, 4, 6, 6, 8, 8, 12]) }, (_, id) => {
    const [anyGroup, [kinds, anyTargets]] = choices.pick(drawn);
    const anyKind = choices.pick(kinds);
    const place = choices.seed * BY_TURNS + id;
    const byTurns = id < BY_TURNS ? all[(place * STRIDE) % all.length] : undefined;
    const [group, kind, targets] = byTurns ?? [anyGroup, anyKind, anyTargets];
    return {
      id,
      atMs: choices.below(LAST_FAULT_MS * share),
      forMs: choices.between(1_000, 5_000),
      group,
      kind,
      target: (byTurns ? targets[place % targets.length] : choices.pick(targets)) ?? '',
      bytes: choices.pick([10, 300, 5_000]),
    };
  });
}
