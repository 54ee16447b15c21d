import { type Call, type History, type SeenFault, type SeenJob, hasEnded } from './history';
import {
  BACKEND_FAULTS,
  BROKER_FAULTS,
  CLUSTER_LINKS,
  type FaultGroup,
  LEASE_FAULTS,
  LEDGER_FAULTS,
  LINK_FAULTS,
  LINKS,
  PROCESS_FAULTS,
  STORE_FAULTS,
} from './fault-plan';
import { DISKS, SERVERS } from './installations';
import { DIRECTIVES, OPERATION_KINDS, RECEIVERS } from './swarm';

/** Whether a history shows that a state was reached. A set of runs in which none does would prove nothing about it. */
type IsReached = (history: History) => boolean;

const answered =
  (isOne: (call: Call, history: History) => boolean): IsReached =>
  (history) =>
    history.calls.some((call) => call.status !== null && isOne(call, history));
const refused = (code: string): IsReached => answered((call) => call.code === code);
const unknown =
  (...kinds: Call['kind'][]): IsReached =>
  ({ calls }) =>
    calls.some((call) => kinds.includes(call.kind) && call.status === null);
const atRest =
  (isOne: (job: SeenJob, history: History) => boolean): IsReached =>
  (history) =>
    history.rest.accounts.some(({ jobs }) => jobs.some((job) => isOne(job, history)));
const payment =
  (isOne: (payment: History['rest']['payments'][number]) => boolean): IsReached =>
  ({ rest }) =>
    rest.payments.some(isOne);
const struck =
  (isOne: (fault: SeenFault) => boolean): IsReached =>
  ({ faults }) =>
    faults.some((fault) => fault.effects > 0 && isOne(fault));
/** A call that was answered after a fault began, and had begun before the fault was over. */
const through = (group: FaultGroup, isOne: (call: Call, history: History) => boolean): IsReached =>
  answered((call, history) =>
    history.faults.some(
      (fault) =>
        fault.group === group &&
        fault.effects > 0 &&
        call.invokedAtMs < fault.endedAtMs &&
        (call.answeredAtMs ?? 0) > fault.atMs &&
        isOne(call, history),
    ),
  );
const each = <Name extends string>(names: readonly Name[], prefix: string, of: (name: Name) => IsReached) =>
  Object.fromEntries(names.map((name) => [`${prefix} ${name}`, of(name)]));

const READS: readonly Call['kind'][] = ['read', 'list', 'events', 'balance'];
const isCreated = ({ kind, status }: Call): boolean => kind === 'create' && (status === 200 || status === 202);
const hasSucceeded = ({ status }: SeenJob): boolean => status === 'succeeded';
const tasksOf = (tag: string, { backendRuns }: History): number =>
  new Set(backendRuns.filter((run) => run.tag === tag).map(({ task }) => task)).size;
/** A call with one answer after another one without. */
const isAnsweredRepeat = (call: Call, { calls }: History, isSame: (other: Call) => boolean): boolean =>
  calls.some((other) => other.status === null && other.invokedAtMs < call.invokedAtMs && isSame(other));

const STATES: Record<string, IsReached> = {
  ...each(OPERATION_KINDS, 'answered', (kind) => answered((call) => call.kind === kind && call.status !== 503)),
  ...each(LINK_FAULTS, 'a link:', (kind) => struck((fault) => fault.kind === kind)),
  ...each([...LINKS, ...CLUSTER_LINKS], 'a broken link to', (link) =>
    struck(({ group, target }) => group === 'link' && target === link),
  ),
  ...each(PROCESS_FAULTS, 'a process:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(LEASE_FAULTS, 'a lease:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(LEDGER_FAULTS, 'the ledger:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(STORE_FAULTS, 'PostgreSQL:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(BROKER_FAULTS, 'NATS:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(SERVERS.clustered, 'a NATS server without which two go on:', (name) =>
    struck(({ target }) => target === name),
  ),
  ...each(DISKS, 'a full disk of', (disk) => struck(({ kind, target }) => kind === 'full' && target === disk)),
  ...each(BACKEND_FAULTS, 'a backend:', (kind) => struck((fault) => fault.kind === kind)),
  ...each(
    RECEIVERS,
    'a webhook to a receiver that is',
    (kind) =>
      ({ deliveries }) =>
        deliveries.some(({ receiver }) => receiver === kind),
  ),
  ...each(DIRECTIVES, 'ended with', (directive) => ({ calls, rest }) => {
    const tags = new Set(
      calls.filter(({ creation }) => creation?.directive === directive).map(({ creation }) => creation?.tag),
    );
    return rest.accounts.some(({ jobs }) => jobs.some((job) => hasEnded(job) && tags.has(job.tag)));
  }),

  'a job succeeded': atRest(hasSucceeded),
  'a job failed': atRest(({ status }) => status === 'failed'),
  'a job was canceled': atRest(({ status }) => status === 'canceled'),
  'a video succeeded': answered(
    ({ creation }, { rest }) =>
      creation?.endpoint === 'video' &&
      rest.accounts.some(({ jobs }) => jobs.some((job) => job.tag === creation.tag && hasSucceeded(job))),
  ),
  'a job was seen in flight': answered(({ kind, jobs }) => kind === 'read' && jobs.some((job) => !hasEnded(job))),
  'a job was seen processing': answered(({ jobs }) => jobs.some(({ status }) => status === 'processing')),
  'a cancel came too late': answered(({ kind, jobs }) => kind === 'cancel' && jobs.some(hasSucceeded)),
  'a cancel ended a job': answered(
    ({ kind, jobs }) => kind === 'cancel' && jobs.some(({ status }) => status === 'canceled'),
  ),
  'a wait saw the end': answered(({ kind, jobs }) => kind === 'wait' && jobs.some(hasEnded)),
  'a stream saw the end': answered(({ kind, jobs }) => kind === 'follow' && jobs.length > 0),
  'a feed was followed': answered(({ kind, feed }) => kind === 'feed' && feed.length > 0),

  'a creation was a repeat': answered(
    ({ kind, status, creation }) => kind === 'create' && status === 200 && creation?.endpoint !== 'openai',
  ),
  'a creation was answered by OpenAI’s door': answered(
    ({ creation, status }) => creation?.endpoint === 'openai' && status === 200,
  ),
  'an edit was created': answered(({ creation, status }) => creation?.endpoint === 'edit' && status === 202),
  'a marked repeat was answered': answered(({ creation, status }) => creation?.isMarked === true && status === 200),
  'one key had two bodies': refused('idempotency_conflict'),
  'the money was gone': refused('insufficient_balance'),
  'the slots were gone': refused('concurrency_limit'),
  'the account was suspended': refused('account_suspended'),
  'a receipt was read before the end': refused('job_in_flight'),
  'the service refused for now': answered(({ status }) => status === 503),
  'a deletion was answered': answered(({ kind, status }) => kind === 'delete_content' && status === 200),
  'a block was appealed': answered(({ kind, status }) => kind === 'appeal' && status === 200),
  'an account went on after its strikes were lifted': answered(
    (call, { calls }) =>
      isCreated(call) &&
      calls.some(
        ({ account, code, answeredAtMs }) =>
          account === call.account && code === 'account_suspended' && (answeredAtMs ?? Infinity) < call.invokedAtMs,
      ),
  ),

  'two prices were paid for one kind of job': ({ calls, rest }) => {
    const kinds = new Map(calls.map(({ creation }) => [creation?.tag, `${creation?.endpoint} ${creation?.n}`]));
    const paid = rest.accounts.flatMap(({ jobs }) => jobs.filter(hasSucceeded).filter(({ tag }) => kinds.has(tag)));
    const kindsAndPrices = new Set(paid.map(({ tag, chargedMicros }) => `${kinds.get(tag)} ${chargedMicros}`));
    return kindsAndPrices.size > new Set(paid.map(({ tag }) => kinds.get(tag))).size;
  },
  'a payment was credited': payment(({ state }) => state === 'paid'),
  'a card was declined': answered(({ code }) => code === 'declined'),
  'a payment was given back': answered(({ kind, code }) => kind === 'refund' && code === 'succeeded'),
  'a refund was refused': answered(({ kind, status }) => kind === 'refund' && status === 400),
  'a dispute took a payment': payment(({ dispute }) => dispute === 'open'),
  'a dispute was won': payment(({ dispute }) => dispute === 'won'),
  'a payment had an unknown outcome': unknown('pay'),
  'a creation had an unknown outcome': unknown('create'),
  'a read had an unknown outcome': unknown(...READS),
  'a top-up had an unknown outcome': unknown('top_up'),
  'an unknown creation was found by its repeat': answered(
    (call, history) =>
      isCreated(call) && isAnsweredRepeat(call, history, ({ operation }) => operation === call.operation),
  ),
  'a job ran a second time and succeeded': atRest((job, history) => hasSucceeded(job) && tasksOf(job.tag, history) > 1),
  'a webhook was repeated': ({ deliveries }) =>
    new Set(deliveries.map(({ eventId }) => eventId)).size < deliveries.length,
  'a job was created through a fault of a link': through('link', isCreated),
  'a job was created through a fault of a process': through('process', isCreated),
  'a job was created through a fault of the database': through('database', isCreated),
  'a job was created through a fault of the broker': through('broker', isCreated),
  'a job was created through a fault of its backend': through('backend', isCreated),
  'a read was answered through a fault of the database': through(
    'database',
    ({ kind, status }) => READS.includes(kind) && status === 200,
  ),
};

export function reachedStates(history: History): string[] {
  return Object.keys(STATES).filter((state) => STATES[state]?.(history));
}

export function neverReached(reached: ReadonlySet<string>): string[] {
  return Object.keys(STATES).filter((state) => !reached.has(state));
}
