import { afterParagraph, inStep, kinora, nats } from './commands';

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
      'The panel _Connections_ of the dashboard _Runtime_ shows connections of every service, and both commands succeed:' +
        afterParagraph(kinora('doctor'), kinora('ledger verify --full')),
    ],
  },
  {
    title: 'Loss of a NATS node',
    signs: [
      `One pod of the broker is away, or the network separates it from the others. Its clients log \`nats_status\` with \`disconnect\` and \`reconnect\`; \`kinora_nats_reconnects_total\` grows. Requests that were in flight answer 503 within two seconds (\`bus_request_unanswered\`, "a connection was lost"), and nothing is lost. Where a node is separated and still runs, its clients log \`nats_server_without_quorum\` after about ten seconds and reconnect; until they have found another server, requests through it fail. With one replica of the stream on the lost node, \`kinora_outbox_events\` grows, and webhooks start with the sweep, up to ten seconds late.`,
    ],
    steps: [
      'A node that is separated and still runs: stop it, if requests still fail after a minute. Its clients then go to the others. Servers before 2.10 need that while there is traffic, because they do not notice a silent route.',
      'Nothing else, as long as two of three servers run: PostgreSQL holds all jobs, and outboxes hold all events. Do not restart the services.',
      `Bring the node back. See where it is, then its events and its log. A volume that is gone for good may be replaced by an empty one; the server fetches its copy from the others.${inStep(
        'kubectl get pods --namespace kinora --selector app.kubernetes.io/name=nats --output wide',
        'kubectl describe pod nats-0 --namespace kinora',
        'kubectl logs nats-0 --namespace kinora --container nats --previous',
      )}`,
      `Look at the copies.${inStep(nats('stream info KINORA_EVENTS'))}

   Where it says one replica, add the others; jobs and moderation do the same by themselves each minute, unless \`nats.stream.replicas\` is 1:${inStep(
     nats('stream edit KINORA_EVENTS --replicas 3 --force'),
   )}`,
      'Where two of three servers are lost, requests go on and events wait in the outboxes. If the store is lost as well, start three empty servers: the services create the stream again, and the sweeps make up for its events.',
    ],
    over: [
      'The stream has a leader and two current replicas, `kinora_nats_connected` is 1 for every process, `kinora_outbox_events` and `kinora_events_pending` are back at 0, and the stack works:' +
        afterParagraph(nats('stream info KINORA_EVENTS'), kinora('doctor')),
    ],
  },
];
