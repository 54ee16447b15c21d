import { type Call, type History, foldBefore, groupBy, priceStepsOf } from './history';
import { mostSpentBy } from './money-rules';
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
 * The refusals of creations that nothing before explains: everything that was asked for before the answer may have been decided
 * before it.
 */
export function findUnfounded({ plan, calls }: History): Call[] {
  const steps = priceStepsOf(plan);
  return plan.accounts.flatMap(({ balanceMicros, maxConcurrentJobs }, account) => {
    const own = calls.filter((call) => call.account === account);
    const creations = own.filter(({ creation }) => creation !== null);
    const before = (some: Call[]) => foldBefore(some.map(({ invokedAtMs }) => [invokedAtMs, 1]));
    // Each of these includes the refused creation.
    const spentBefore = foldBefore(own.map((call) => [call.invokedAtMs, mostSpentBy(call, steps)]));
    const createdBefore = before(creations);
    const blockedBefore = before(creations.filter(isBlocked));
    const disputedBefore = before(own.filter(({ kind, card }) => kind === 'pay' && DISPUTED_CARDS.includes(card)));
    const limits = own.filter(({ kind }) => kind === 'limits');
    const lowestLimitBefore = foldBefore(
      limits.map(({ invokedAtMs, amount }) => [invokedAtMs, amount]),
      maxConcurrentJobs,
      Math.min,
    );
    const ofKey = groupBy(creations, ({ creation }) => `${creation?.key}`);
    return creations.filter((call) => {
      const { creation, status, code, answeredAtMs } = call;
      if (answeredAtMs === null) return false;
      if (status === 402) return spentBefore(answeredAtMs) <= balanceMicros;
      if (status === 429)
        return code !== 'concurrency_limit' || createdBefore(answeredAtMs) <= lowestLimitBefore(answeredAtMs);
      if (code === 'account_paused') return disputedBefore(answeredAtMs) === 0;
      if (status === 403) return blockedBefore(answeredAtMs) - Number(isBlocked(call)) < STRIKES;
      if (status !== 409 || code !== 'idempotency_conflict') return false;
      const others = ofKey.get(`${creation?.key}`) ?? [];
      return !others.some((one) => one.creation?.tag !== creation?.tag && one.invokedAtMs < answeredAtMs);
    });
  });
}

function isBlocked({ creation }: Call): boolean {
  return creation?.directive === '[[output:blocked]]';
}
