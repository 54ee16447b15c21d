import {
  type Call,
  DOLLAR_MICROS,
  type History,
  type Rule,
  TOP_UP_MICROS,
  describe,
  highestPriceOf,
  jobsAtRest,
  paidMicros,
  pricesOf,
  sum,
} from './history';
import { DISPUTED_CARDS } from './swarm';

/** What the checker demands of balances, charges and payments. */
export const MONEY_RULES: Record<string, Rule> = {
  'a job is charged if and only if it is delivered': (history) => {
    const { calls, rest } = history;
    const prices = new Map(calls.map(({ creation }) => [creation?.tag, creation ? pricesOf(creation, history) : []]));
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
        sum(topUps(calls, account, ({ status }) => status === 200)) +
        sum(payments.map(({ amountMicros }) => amountMicros)) -
        sum(disputed.map(({ amountMicros }) => amountMicros)) -
        sum(refunds(calls, ({ account: of }) => of === account)) -
        sum(jobs.map(({ chargedMicros }) => chargedMicros));
      const found = balanceMicros - owedMicros;
      return found === expected ? [] : [`account ${account} has ${found} micros instead of ${expected}`];
    }),

  'a payment is credited, given back and disputed as the provider says': ({ calls, rest }) =>
    rest.payments
      .filter(({ operation, card, isPaid, state, refundedMicros, returnedMicros, dispute }) => {
        const wanted = !isPaid || !DISPUTED_CARDS.includes(card) ? null : card === 'disputed' ? 'open' : 'won';
        const asked = sum(refunds(calls, ({ of }) => of === operation));
        return (
          isPaid !== (state === 'paid') || dispute !== wanted || refundedMicros !== asked || returnedMicros !== asked
        );
      })
      .map(({ operation, ...payment }) => `${operation}: ${JSON.stringify(payment)}`),

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

  'a balance stays within what was paid and asked for': (history) =>
    history.calls.flatMap((call) => {
      const { account, balanceMicros } = call;
      if (balanceMicros === null) return [];
      const opening = history.plan.accounts[account]?.balanceMicros ?? 0;
      const before = history.calls.filter(
        (one) => one.account === account && one.invokedAtMs < (call.answeredAtMs ?? 0),
      );
      const payments = sum(before.filter(({ kind }) => kind === 'pay').map(({ amount }) => paidMicros(amount)));
      const most = opening + sum(topUps(before, account, () => true)) + payments;
      const answered = topUps(before, account, ({ answeredAtMs }) => (answeredAtMs ?? Infinity) < call.invokedAtMs);
      const least = Math.max(0, opening + sum(answered) - mostSpent(before, history));
      return balanceMicros < least || balanceMicros > most
        ? [`${describe(call)}: ${balanceMicros}, not ${least} to ${most}`]
        : [];
    }),
};

/** What these calls may have taken from a balance: jobs, refunds, and payments that are disputed. */
export function mostSpent(calls: Call[], history: Pick<History, 'plan'>): number {
  return sum(
    calls.map(({ kind, creation, amount, card }) => {
      if (creation) return highestPriceOf(creation, history);
      if (kind === 'refund') return amount * DOLLAR_MICROS;
      return kind === 'pay' && DISPUTED_CARDS.includes(card) ? paidMicros(amount) : 0;
    }),
  );
}

/** The amounts of an account's top-ups, each once: a repeat has the reference of the first. */
function topUps(calls: Call[], account: number, counts: (call: Call) => boolean): number[] {
  const chosen = calls.filter((call) => call.kind === 'top_up' && call.account === account && counts(call));
  return [...new Map(chosen.map(({ operation, amount }) => [operation, amount * TOP_UP_MICROS])).values()];
}

/** The amounts of refunds that were made, each once. */
function refunds(calls: Call[], counts: (call: Call) => boolean): number[] {
  const made = calls.filter((call) => call.kind === 'refund' && call.status === 200 && counts(call));
  return [...new Map(made.map(({ operation, amount }) => [operation, amount * DOLLAR_MICROS])).values()];
}
