import { answersLostSubject, batchSubject, contextOf, durableName, EVENT_STREAM } from '@kinora/bus';
import type { Contract, DeclaredContract } from '../contracts/declared-contracts';
import type { ContractUser } from './contract-users';

/** The permissions of one user of the broker; everything else is refused. */
export interface BrokerUser {
  user: string;
  publish: string[];
  /** `subject queue` if the subscription must use that queue group. */
  subscribe: string[];
  /** Maximum number of messages that answer one request; 0 if the user answers none. */
  answersMax: number;
}

/** The one program whose user has another name: it is run by operators. */
const USER_OF_APP: Record<string, string> = { cli: 'operator' };

export function brokerUser({ app, service, served, used }: ContractUser): BrokerUser {
  const user = USER_OF_APP[app] ?? app;
  const events = [...served, ...used].some(({ contract }) => contract.kind === 'event');
  const publishes = used.some(({ contract }) => contract.kind === 'event');
  return {
    user,
    publish: [
      // The answer shows whether the server belongs to a majority of its cluster.
      '$JS.API.INFO',
      ...used.flatMap(({ contract }) => messageSubjects(contract)),
      // A consumer compares its position with the stream's.
      ...(events ? streamRequests(['CREATE', 'INFO']) : []),
      // Services that publish also keep the number of replicas of the stream.
      ...(publishes ? streamRequests(['UPDATE']) : []),
      ...served.flatMap(({ contract }) => consumerRequests(app, contract)),
      ...answersLostSubjects(served),
    ].toSorted(),
    subscribe: [
      ...served.flatMap(({ contract }) => subscriptions(service, contract)),
      ...answersLostSubjects(used),
      `_INBOX.${user}.>`,
    ].toSorted(),
    answersMax: Math.max(0, ...served.map(answersTo)),
  };
}

/**
 * For people with NATS' own command. It may read and change how the stream and its consumers are stored, and delete them, since the
 * outboxes and sweeps make up for a lost stream. It may neither read nor write an event.
 */
export const ADMINISTRATOR: BrokerUser = {
  user: 'administrator',
  publish: [
    '$JS.API.INFO',
    '$JS.API.STREAM.LIST',
    '$JS.API.STREAM.NAMES',
    ...streamRequests(['INFO', 'UPDATE', 'DELETE', 'LEADER.STEPDOWN', 'PEER.REMOVE']),
    ...['LIST', 'NAMES'].map((request) => `$JS.API.CONSUMER.${request}.${EVENT_STREAM}`),
    ...['INFO', 'DELETE', 'LEADER.STEPDOWN'].map((request) => `$JS.API.CONSUMER.${request}.${EVENT_STREAM}.*`),
  ].toSorted(),
  subscribe: ['_INBOX.administrator.>'],
  answersMax: 0,
};

function streamRequests(requests: string[]): string[] {
  return requests.map((request) => `$JS.API.STREAM.${request}.${EVENT_STREAM}`);
}

/** A batch is answered with at most one message per item; a single request with one. */
function answersTo({ contract }: DeclaredContract): number {
  return contract.kind === 'rpc' ? (contract.batching?.maxItems ?? 1) : 0;
}

function messageSubjects(contract: Contract): string[] {
  const inBatches = contract.kind === 'rpc' && contract.batching;
  return inBatches ? [contract.subject, batchSubject(contract.subject)] : [contract.subject];
}

/** Requests are shared within the queue group of the service, signals reach every replica, and events are fetched. */
function subscriptions(service: string, contract: Contract): string[] {
  switch (contract.kind) {
    case 'rpc':
      return messageSubjects(contract).map((subject) => `${subject} ${service}`);
    case 'signal':
      return [contract.subject];
    case 'event':
      return [];
  }
}

/** A service signals after a reconnect that answers were lost; the services that send it requests subscribe to the signal. */
function answersLostSubjects(contracts: DeclaredContract[]): string[] {
  const requests = contracts.filter(({ contract }) => contract.kind === 'rpc');
  return [...new Set(requests.map(({ contract }) => answersLostSubject(contextOf(contract.subject))))];
}

/** Creating, inspecting, deleting, fetching from and acknowledging on the service's own durable consumer, and no other. */
function consumerRequests(app: string, contract: Contract): string[] {
  if (contract.kind !== 'event') return [];
  const consumer = `${EVENT_STREAM}.${durableName(app, contract.subject)}`;
  return [
    `$JS.API.CONSUMER.CREATE.${consumer}.${contract.subject}`,
    `$JS.API.CONSUMER.INFO.${consumer}`,
    `$JS.API.CONSUMER.DELETE.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
    `$JS.ACK.${consumer}.>`,
  ];
}
