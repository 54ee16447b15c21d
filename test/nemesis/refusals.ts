import { type Call, type History, highestPriceOf } from './history';
import { mostSpent } from './money-rules';
import { DISPUTED_CARDS, type OperationKind } from './swarm';

/** Statuses that are no success and no mistake of the client. */
const ALWAYS = [429, 503];
const ALLOWED: Record<OperationKind, number[]> = {
  create: [200, 202, 402, 403, 409],
  cancel: [200],
  read: [200],
  wait: [200],
  follow: [200],
  feed: [200],
  // Only a blocked job has a decision to appeal against.
  appeal: [200, 404],
  // A suspended account pays nothing in.
  pay: [200, 403],
  // Disputed, more than is left, or not paid.
  refund: [200, 400, 404],
  price: [200],
  lift: [200],
  list: [200],
  events: [200],
  balance: [200],
  usage: [200],
  quote: [200],
  receipt: [200, 400],
  delete_outputs: [200, 400],
  delete_content: [200, 400],
  top_up: [200],
  limits: [200],
  key: [401],
};
/** What a job of OpenAI's clients answers with where it has failed, was canceled, or runs on. */
const OPENAI_ALLOWED = [200, 400, 402, 403, 409, 502, 504];
/** The number of strikes that suspends an account. */
const STRIKES = 5;

/** Whether no state of the service allows this answer to the operation. */
export function isForbidden({ kind, creation, status }: Call): boolean {
  if (status === null) return false;
  const allowed = creation?.endpoint === 'openai' ? OPENAI_ALLOWED : ALLOWED[kind];
  return !allowed.includes(status) && !ALWAYS.includes(status);
}

/**
 * Whether nothing that happened before explains the refusal of a creation: everything that was asked for before the answer may
 * have been decided before it.
 */
export function isUnfounded(call: Call, history: History): boolean {
  const { creation, account, status, code } = call;
  if (!creation || call.answeredAtMs === null) return false;
  const others = history.calls.filter(
    (one) => one !== call && one.account === account && one.invokedAtMs < (call.answeredAtMs ?? 0),
  );
  const creations = others.filter((one) => one.creation !== null);
  const { balanceMicros = 0, maxConcurrentJobs = 0 } = history.plan.accounts[account] ?? {};
  if (status === 402) return balanceMicros - mostSpent(others, history) >= highestPriceOf(creation, history);
  if (status === 429) {
    const limits = others.filter(({ kind }) => kind === 'limits').map(({ amount }) => amount);
    return code !== 'concurrency_limit' || creations.length < Math.min(maxConcurrentJobs, ...limits);
  }
  if (code === 'account_paused')
    return !others.some(({ kind, card }) => kind === 'pay' && DISPUTED_CARDS.includes(card));
  if (status === 403)
    return creations.filter((one) => one.creation?.directive === '[[output:blocked]]').length < STRIKES;
  if (status !== 409 || code !== 'idempotency_conflict') return false;
  return !creations.some((one) => one.creation?.key === creation.key && one.creation?.tag !== creation.tag);
}
