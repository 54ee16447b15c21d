import type { ContractUser } from '../broker/contract-users';
import type { Contract, DeclaredContract } from '../contracts/declared-contracts';
import { drawRoads, roadsBetween } from './context-map';
import { putPart } from './page-part';

function declared(kind: Contract['kind'], subject: string): DeclaredContract {
  const contract: Contract = kind === 'rpc' ? { kind, subject, errors: [] } : { kind, subject };
  return { context: 'harbour', file: 'harbour.rpc.ts', table: 'harbourRpc', key: subject, contract };
}

describe('map of the contexts', () => {
  const land = declared('rpc', 'harbour.v1.land');
  const landed = declared('event', 'harbour.v1.event.ship_landed');
  const many = Array.from({ length: 9 }, (_, index) => declared('rpc', `harbour.v1.ask_${index}`));
  const users: ContractUser[] = [
    { app: 'harbour', service: 'harbour', served: [land, ...many], used: [landed] },
    { app: 'customs-office', service: 'customs-office', served: [landed], used: [land] },
    { app: 'pilot', service: 'pilot', served: [], used: many },
  ];

  it('has an arrow from the sender of a request or an event to its handler', () => {
    expect(roadsBetween(users).map(({ from, kind, to, verbs }) => [from, kind, to, verbs.length])).toEqual([
      ['harbour', 'event', 'customs-office', 1],
      ['customs-office', 'rpc', 'harbour', 1],
      ['pilot', 'rpc', 'harbour', 9],
    ]);
  });

  it('has one kind of arrow for each kind of contract, and a count if there are too many to list', () => {
    const lines = drawRoads(roadsBetween(users)).split('\n');
    expect(lines).toEqual([
      '```mermaid',
      'flowchart LR',
      '  customs_office[customs-office]',
      '  harbour[harbour]',
      '  pilot[pilot]',
      '  harbour -. "ship_landed" .-> customs_office',
      '  customs_office -- "land" --> harbour',
      '  pilot -- "9 requests" --> harbour',
      '```',
    ]);
  });

  it('replaces the generated part of a page, and nothing else', () => {
    const page = 'Above.\n\n<!-- drawn: map -->\n\nold\n\n<!-- end -->\n\nBelow.\n';
    expect(putPart(page, 'map', 'new')).toBe(page.replace('old', 'new'));
    expect(() => putPart(page, 'chart', 'new')).toThrow('has no markers for chart');
  });
});
