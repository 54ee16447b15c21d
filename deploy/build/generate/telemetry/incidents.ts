/** A failure that shows in several alerts at once; each part is Markdown. */
export interface Incident {
  title: string;
  seen: string;
  /** The steps, in order. */
  steps: string[];
  /** How to know that it is over. */
  over: string;
}

const NATS = 'nats --server "nats://administrator:$NATS_ADMINISTRATOR@nats:4222" --inbox-prefix _INBOX.administrator';

const LOSS_OF_A_NATS_NODE: Incident = {
  title: 'Loss of a NATS node',
  seen: `One pod of the broker is away, or the network separates it from the others. Its clients log \`nats_status\` with \`disconnect\` and \`reconnect\`; \`kinora_nats_reconnects_total\` grows. Requests that were in flight answer 503 within two seconds (\`bus_request_unanswered\`, "a connection was lost"), and nothing is lost. Where a node is separated and still runs, its clients log \`nats_server_without_quorum\` after about ten seconds and go to another; until then requests through it fail. With one replica of the stream on the lost node, \`kinora_outbox_events\` grows, and webhooks start with the sweep, up to ten seconds late.`,
  steps: [
    'Nothing, as long as two of three servers run: PostgreSQL holds all jobs, and outboxes hold all events. Do not restart the services.',
    'Bring the node back: `kubectl get pods --namespace kinora --selector app.kubernetes.io/name=nats --output wide`, then its events and its log. A volume that is gone for good may be replaced by an empty one; the server fetches its copy from the others.',
    `Look at the copies: \`${NATS} stream info KINORA_EVENTS\`. Where it says one replica, \`${NATS} stream edit KINORA_EVENTS --replicas 3 --force\`; jobs and moderation do the same by themselves each minute, unless \`nats.stream.replicas\` is 1.`,
    'Where two of three servers are lost, requests go on and events wait in the outboxes. If the store is lost as well, start three empty servers: the services create the stream again, and the sweeps make up for its events.',
  ],
  over: 'The stream has a leader and two current replicas, `kinora_nats_connected` is 1 for every process, `kinora_outbox_events` and `kinora_events_pending` are back at 0, and `npm run --silent kinora -- doctor` finds no problem.',
};

export const INCIDENTS: Incident[] = [LOSS_OF_A_NATS_NODE];

export function toIncidentSection({ title, seen, steps, over }: Incident): string {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  return [`## ${title}`, '', `**Seen.** ${seen}`, '', '**Do.**', '', ...numbered, '', `**Over.** ${over}`, ''].join(
    '\n',
  );
}
