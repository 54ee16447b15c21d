import { type Call, type History, type SeenJob, hasEnded } from './history';
import {
  BROKER_FAULTS,
  DIRECTIVES,
  LINK_FAULTS,
  LINKS,
  OPERATION_KINDS,
  PROCESS_FAULTS,
  RECEIVERS,
  STORE_FAULTS,
} from './swarm';

/** Whether a history has reached a state. A set of runs in which none has would prove nothing about it. */
type IsReached = (history: History) => boolean;

const answered =
  (isOne: (call: Call) => boolean): IsReached =>
  ({ calls }) =>
    calls.some((call) => call.status !== null && isOne(call));
const refused = (code: string): IsReached => answered((call) => call.code === code);
const atRest =
  (isOne: (job: SeenJob) => boolean): IsReached =>
  ({ rest }) =>
    rest.accounts.some(({ jobs }) => jobs.some(isOne));
const during =
  (isOne: (call: Call) => boolean): IsReached =>
  ({ plan, calls }) =>
    plan.faults.length > 0 && calls.some(isOne);
const each = <Name extends string>(names: readonly Name[], prefix: string, of: (name: Name) => IsReached) =>
  Object.fromEntries(names.map((name) => [`${prefix} ${name}`, of(name)]));

const STATES: Record<string, IsReached> = {
  ...each(OPERATION_KINDS, 'answered', (kind) => answered((call) => call.kind === kind)),
  ...each(
    LINK_FAULTS,
    'link',
    (kind) =>
      ({ plan }) =>
        plan.faults.some((fault) => fault.kind === kind),
  ),
  ...each(
    LINKS,
    'broken link to',
    (link) =>
      ({ plan }) =>
        plan.faults.some((fault) => fault.group === 'link' && fault.target === link),
  ),
  ...each(
    [...PROCESS_FAULTS, ...STORE_FAULTS, ...BROKER_FAULTS],
    'fault',
    (kind) =>
      ({ plan }) =>
        plan.faults.some((fault) => fault.kind === kind),
  ),
  ...each(
    RECEIVERS,
    'webhook to a receiver that is',
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
  'a job succeeded': atRest(({ status }) => status === 'succeeded'),
  'a job failed': atRest(({ status }) => status === 'failed'),
  'a job was canceled': atRest(({ status }) => status === 'canceled'),
  'a job was seen in flight': answered(({ kind, jobs }) => kind === 'read' && jobs.some((job) => !hasEnded(job))),
  'a job was seen processing': answered(({ jobs }) => jobs.some(({ status }) => status === 'processing')),
  'a cancel came too late': answered(
    ({ kind, jobs }) => kind === 'cancel' && jobs.some(({ status }) => status === 'succeeded'),
  ),
  'a wait saw the end': answered(({ kind, jobs }) => kind === 'wait' && jobs.some(hasEnded)),
  'a creation was a repeat': answered(({ kind, status }) => kind === 'create' && status === 200),
  'a creation was answered by OpenAI’s door': answered(
    ({ creation, status }) => creation?.endpoint === 'openai' && status === 200,
  ),
  'an edit was created': answered(({ creation, status }) => creation?.endpoint === 'edit' && status === 202),
  'a deletion was answered': answered(({ kind, status }) => kind === 'delete_content' && status === 200),
  'a receipt was read before the end': refused('job_in_flight'),
  'one key had two bodies': refused('idempotency_conflict'),
  'the money was gone': refused('insufficient_balance'),
  'the slots were gone': refused('concurrency_limit'),
  'the account was suspended': refused('account_suspended'),
  'the service refused for now': answered(({ status }) => status === 503),
  'a creation had an unknown outcome': during((call) => call.kind === 'create' && call.status === null),
  'an unknown creation was found by its repeat': ({ calls }) =>
    calls.some(
      (call) =>
        call.kind === 'create' &&
        call.status === null &&
        calls.some((other) => other.operation === call.operation && other.status === 200),
    ),
  'a read had an unknown outcome': during((call) => call.kind === 'read' && call.status === null),
  'a top-up had an unknown outcome': during((call) => call.kind === 'top_up' && call.status === null),
  'a webhook was repeated': ({ deliveries }) =>
    new Set(deliveries.map(({ eventId }) => eventId)).size < deliveries.length,
};

export type SometimesState = string;

export function reachedStates(history: History): SometimesState[] {
  return Object.keys(STATES).filter((state) => STATES[state]?.(history));
}

export function neverReached(reached: ReadonlySet<SometimesState>): SometimesState[] {
  return Object.keys(STATES).filter((state) => !reached.has(state));
}
