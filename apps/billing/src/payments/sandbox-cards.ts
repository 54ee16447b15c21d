/** A card of the rehearsal, with the number that Stripe uses for the same behaviour. */
export interface RehearsalCard {
  label: string;
  number: string;
  /** What follows when the page is paid with it. */
  outcome: 'paid' | 'declined' | 'needs_confirmation' | 'disputed' | 'dispute_won';
}

export const REHEARSAL_CARDS: Record<string, RehearsalCard> = {
  succeeds: {
    label: 'Succeeds',
    number: '4242424242424242',
    outcome: 'paid',
  },
  declined: {
    label: 'Is declined',
    number: '4000000000000002',
    outcome: 'declined',
  },
  second_step: {
    label: 'Needs a second step',
    number: '4000002500003155',
    outcome: 'needs_confirmation',
  },
  declined_later: {
    label: 'Succeeds, and declines every recharge',
    number: '4000000000000341',
    outcome: 'paid',
  },
  expires: {
    label: 'Expires with this month',
    number: '4000000000000077',
    outcome: 'paid',
  },
  disputed: {
    label: 'Is disputed seconds later',
    number: '4000000000000259',
    outcome: 'disputed',
  },
  dispute_won: {
    label: 'Is disputed, and the dispute is won',
    number: '4000000000001976',
    outcome: 'dispute_won',
  },
};
