import { durableName, EVENT_STREAM, batchSubject } from '@kinora/bus';
import type { Contract, DeclaredContract } from '../contracts/declared-contracts';
import type { ContractUser } from './contract-users';

/** What one user of the broker may do; everything else is refused. */
export interface BrokerUser {
  user: string;
  publish: string[];
  /** `subject queue` where the subscription must be of that queue group. */
  subscribe: string[];
  /** Messages with which one request may be answered; 0 for who answers none. */
  answersMax: number;
}

/** The one program whose user is not called as itself: whoever runs it is an operator. */
const USER_OF_APP: Record<string, string> = { cli: 'operator' };

export function brokerUser({ app, served, used }: ContractUser): BrokerUser {
  const user = USER_OF_APP[app] ?? app;
  const events = [...served, ...used].some(({ contract }) => contract.kind === 'event');
  return {
    user,
    publish: [
      ...used.flatMap(({ contract }) => messageSubjects(contract)),
      ...(events ? [`$JS.API.STREAM.CREATE.${EVENT_STREAM}`] : []),
      ...served.flatMap(({ contract }) => consumerRequests(app, contract)),
    ].toSorted(),
    subscribe: [
      ...served.flatMap(({ contract }) => subscriptions(app, contract)),
      ...(used.length > 0 || events ? [`_INBOX.${user}.>`] : []),
    ].toSorted(),
    answersMax: Math.max(0, ...served.map(answersTo)),
  };
}

/** A set is answered in as many messages as it has items, at most; a request alone in one. */
function answersTo({ contract }: DeclaredContract): number {
  return contract.kind === 'rpc' ? (contract.batching?.maxItems ?? 1) : 0;
}

function messageSubjects(contract: Contract): string[] {
  const inBatches = contract.kind === 'rpc' && contract.batching;
  return inBatches ? [contract.subject, batchSubject(contract.subject)] : [contract.subject];
}

/** Requests are shared within the service, signals reach every replica, and events are fetched instead. */
function subscriptions(app: string, contract: Contract): string[] {
  switch (contract.kind) {
    case 'rpc':
      return messageSubjects(contract).map((subject) => `${subject} ${app}`);
    case 'signal':
      return [contract.subject];
    case 'event':
      return [];
  }
}

/** Making, watching, reading and acknowledging the service's own view of an event, and no other's. */
function consumerRequests(app: string, contract: Contract): string[] {
  if (contract.kind !== 'event') return [];
  const consumer = `${EVENT_STREAM}.${durableName(app, contract.subject)}`;
  return [
    `$JS.API.CONSUMER.CREATE.${consumer}.${contract.subject}`,
    `$JS.API.CONSUMER.INFO.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
    `$JS.ACK.${consumer}.>`,
  ];
}
