import type { ContractUser } from '../broker/contract-users';
import type { Contract } from '../contracts/declared-contracts';

/** The messages of one kind from one program to another. */
export interface Road {
  from: string;
  to: string;
  kind: Contract['kind'];
  /** The last parts of the subjects. */
  verbs: string[];
}

/** More labels make an arrow unreadable. */
const VERBS_SHOWN_MAX = 8;

const ARROWS: Record<Contract['kind'], [string, string]> = {
  rpc: ['--', '-->'],
  event: ['-.', '.->'],
  signal: ['==', '==>'],
};

/** The connections from each sender of a request, an event or a signal to each of its handlers. */
export function roadsBetween(users: ContractUser[]): Road[] {
  const roads = new Map<string, Road>();
  for (const from of users)
    for (const to of users)
      for (const { contract } of from.used.filter((used) => to.served.includes(used))) {
        const key = [contract.kind, from.app, to.app].join(' ');
        const road = roads.get(key) ?? { from: from.app, to: to.app, kind: contract.kind, verbs: [] };
        road.verbs.push(verbOf(contract));
        roads.set(key, road);
      }
  return [...roads.values()];
}

export function drawRoads(roads: Road[]): string {
  const programs = [...new Set(roads.flatMap(({ from, to }) => [from, to]))].sort();
  const nodes = programs.map((program) => `  ${idOf(program)}[${program}]`);
  return ['```mermaid', 'flowchart LR', ...nodes, ...roads.map(drawRoad), '```'].join('\n');
}

function drawRoad({ from, to, kind, verbs }: Road): string {
  const [begin, end] = ARROWS[kind];
  const label = verbs.length > VERBS_SHOWN_MAX ? `${verbs.length} requests` : verbs.join('<br>');
  return `  ${idOf(from)} ${begin} "${label}" ${end} ${idOf(to)}`;
}

function verbOf({ subject }: Contract): string {
  return subject.split('.').at(-1) ?? subject;
}

/** Mermaid parses a hyphen as the beginning of an arrow. */
function idOf(program: string): string {
  return program.replaceAll('-', '_');
}
