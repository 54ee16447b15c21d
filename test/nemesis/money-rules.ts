import {
  type Call,
  DOLLAR_MICROS,
  type Rule,
  TOP_UP_MICROS,
  describe,
  foldBefore,
  groupBy,
  highestPriceOf,
  jobsAtRest,
  paidMicros,
  priceStepsOf,
  pricesOf,
  sum,
} from './history';
import { DISPUTED_CARDS } from './swarm';

/** What the checker demands of balances, charges and payments. */
export const MONEY_RULES: Record<string, Rule> = {
  'a job is charged if and only if it is delivered': ({ plan, calls, rest }) => {
    const steps = priceStepsOf(plan);
    const prices = new Map(calls.map(({ creation }) => [creation?.tag, creation ? pricesOf(creation, steps) : []]));
    return jobsAtRest(rest.accounts)
      .filter(({ status, chargedMicros, outputs, tag }) =>
        status === 'succeeded'
          ? outputs === 0 || !(prices.get(tag) ?? [chargedMicros]).includes(chargedMicros)
          : chargedMicros !== 0 || outputs !== 0,
      )
      .map(({ id, status, chargedMicros, outputs }) => `${id}: ${status}, ${chargedMicros} micros, ${outputs} outputs`);
  },

  'money is conserved': ({ plan, calls, rest }) =>
    rest.accounts.flatMap(({ balanceMicros, owedMicros, jobs }, account) => {
      const payments = rest.payments.filter((payment) => payment.account === account && payment.isPaid);
      const disputed = payments.filter(({ dispute }) => dispute === 'open' || dispute === 'lost');
      const expected =
        (plan.accounts[account]?.balanceMicros ?? 0) +
        sum(topUps(calls.filter((call) => call.account === account))) +
        sum(payments.map(({ amountMicros }) => amountMicros)) -
        sum(disputed.map(({ amountMicros }) => amountMicros)) -
        sum(refunds(calls.filter((call) => call.account === account))) -
        sum(jobs.map(({ chargedMicros }) => chargedMicros));
      const found = balanceMicros - owedMicros;
      return found === expected ? [] : [`account ${account} has ${found} micros instead of ${expected}`];
    }),

  'a payment is credited, given back and disputed as the provider says': ({ calls, rest }) => {
    const callsOf = groupBy(calls, ({ of }) => `${of}`);
    return rest.payments
      .filter(({ operation, card, isPaid, state, refundedMicros, returnedMicros, dispute }) => {
        const wanted = !isPaid || !DISPUTED_CARDS.includes(card) ? null : card === 'disputed' ? 'open' : 'won';
        const asked = sum(refunds(callsOf.get(`${operation}`) ?? []));
        return (
          isPaid !== (state === 'paid') || dispute !== wanted || refundedMicros !== asked || returnedMicros !== asked
        );
      })
      .map(({ operation, ...payment }) => `${operation}: ${JSON.stringify(payment)}`);
  },

  'the months of an account lead from one to the next, and to what it has': ({ rest }) =>
    rest.accounts.flatMap(({ balanceMicros, jobs, months }, account) => {
      const isGap = months.some(
        ({ openingMicros }, place) => openingMicros !== (months[place - 1]?.closingMicros ?? 0),
      );
      const charged = sum(months.map(({ chargedMicros }) => chargedMicros));
      const reserved = sum(months.map(({ reservedMicros }) => reservedMicros));
      return isGap ||
        months.at(-1)?.closingMicros !== balanceMicros ||
        charged !== sum(jobs.map(({ chargedMicros }) => chargedMicros)) ||
        reserved !== 0
        ? [`account ${account}: ${JSON.stringify(months)}`]
        : [];
    }),

  'an account that owes money is not active': ({ rest }) =>
    rest.accounts.flatMap(({ owedMicros, status }, account) =>
      owedMicros > 0 && status === 'active' ? [`account ${account} owes ${owedMicros} micros`] : [],
    ),

  'a balance stays within what was paid and asked for': ({ plan, calls }) => {
    const steps = priceStepsOf(plan);
    return plan.accounts.flatMap(({ balanceMicros: opening }, account) => {
      const own = calls.filter((call) => call.account === account);
      const payments = own.filter(({ kind }) => kind === 'pay');
      const paidBefore = foldBefore(payments.map(({ invokedAtMs, amount }) => [invokedAtMs, paidMicros(amount)]));
      const askedBefore = foldBefore(firstTopUps(own, ({ invokedAtMs }) => invokedAtMs));
      const answeredBefore = foldBefore(firstTopUps(own, ({ answeredAtMs }) => answeredAtMs ?? Infinity));
      const spentBefore = foldBefore(own.map((call) => [call.invokedAtMs, mostSpentBy(call, steps)]));
      return own.flatMap((call) => {
        const { balanceMicros, invokedAtMs, answeredAtMs } = call;
        if (balanceMicros === null) return [];
        const seenAtMs = answeredAtMs ?? 0;
        const most = opening + askedBefore(seenAtMs) + paidBefore(seenAtMs);
        const least = Math.max(0, opening + answeredBefore(invokedAtMs) - spentBefore(seenAtMs));
        return balanceMicros < least || balanceMicros > most
          ? [`${describe(call)}: ${balanceMicros}, not ${least} to ${most}`]
          : [];
      });
    });
  },
};

/** What a call may have taken from a balance: a job, a refund, or a payment that is disputed. */
export function mostSpentBy({ kind, creation, amount, card }: Call, steps: readonly number[]): number {
  if (creation) return highestPriceOf(creation, steps);
  if (kind === 'refund') return amount * DOLLAR_MICROS;
  return kind === 'pay' && DISPUTED_CARDS.includes(card) ? paidMicros(amount) : 0;
}

/** The amounts of top-ups that were made, each once: a repeat has the reference of the first. */
function topUps(calls: Call[]): number[] {
  const made = calls.filter(({ kind, status }) => kind === 'top_up' && status === 200);
  return [...new Map(made.map(({ operation, amount }) => [operation, amount * TOP_UP_MICROS])).values()];
}

/** The amount of each top-up at the earliest time of its calls. */
function firstTopUps(calls: Call[], timeOf: (call: Call) => number): [atMs: number, amountMicros: number][] {
  const topUpCalls = calls.filter(({ kind }) => kind === 'top_up');
  return [...groupBy(topUpCalls, ({ operation }) => `${operation}`).values()].map((group) => [
    Math.min(...group.map(timeOf)),
    (group[0]?.amount ?? 0) * TOP_UP_MICROS,
  ]);
}

/** The amounts of refunds that were made, each once. */
function refunds(calls: Call[]): number[] {
  const made = calls.filter((call) => call.kind === 'refund' && call.status === 200);
  return [...new Map(made.map(({ operation, amount }) => [operation, amount * DOLLAR_MICROS])).values()];
}
