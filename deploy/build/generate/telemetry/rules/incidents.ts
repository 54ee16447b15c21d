/** An incident that no single alert names, for the runbook. */
export interface Incident {
  title: string;
  /** What operators and clients see. */
  signs: string[];
  /** What to do, in order. */
  steps: string[];
  /** How to know that it is over. */
  over: string[];
}

export const INCIDENTS: Incident[] = [
  {
    title: 'PostgreSQL failover',
    signs: [
      'Every create and every read of a job is answered 503 `capacity` with `Retry-After`. `/readyz` of all services but the gateway names `database`: it fails where the server is away, and says `the server is read-only` where the address leads to a standby.',
    ],
    steps: [
      'Promote one standby by the tool that runs your servers, and make sure that the old primary cannot come back as a primary: two writable servers would both accept jobs.',
      'Let the address of the services (`database-url-…`) lead to the new primary. The services need no restart: they open new connections until one leads to a writable server, and create jobs again within 5 seconds of that.',
      'If an old primary stays reachable and read-only, its connections are closed at the first refused write, and in any case after `DATABASE_CONNECTION_MAX_AGE_SECONDS`.',
      'If the standby was **not** synchronous, follow [what asynchronous replication can lose](data.md#what-a-failover-can-lose).',
    ],
    over: [
      '`kinora doctor` succeeds, `kinora ledger verify --full` reports no violation, and the panel _Connections_ of the dashboard _Runtime_ shows connections of every service.',
    ],
  },
];
