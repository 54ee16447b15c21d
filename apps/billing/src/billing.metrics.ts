import { Counter, Gauge } from '@kinora/metrics';

export const openHolds = new Gauge({
  name: 'kinora_holds_open',
  help: 'Open holds, which are neither captured nor refunded, counted up to 50,000.',
  aggregator: 'max',
});

export const heldMicros = new Gauge({
  name: 'kinora_holds_open_micros',
  help: 'Sum of the open holds, in millionths of a dollar.',
  aggregator: 'max',
});

export const oldestHoldAge = new Gauge({
  name: 'kinora_holds_oldest_age_seconds',
  help: 'Age of the oldest open hold; 0 if there is none.',
  aggregator: 'max',
});

export const holdMoves = new Counter({
  name: 'kinora_hold_moves_total',
  help: 'Holds that were ended, by capture or refund. A repeated request is not counted.',
  labelNames: ['kind'],
});

export const ledgerDrift = new Gauge({
  name: 'kinora_ledger_drift_micros',
  help: 'Sum of the books of the ledger over the last verified accounts; must be 0.',
  aggregator: 'max',
});

export const ledgerViolations = new Gauge({
  name: 'kinora_ledger_violations',
  help: 'Violations of the ledger rules, found by the last completed verification round or by the current one.',
  aggregator: 'max',
});

export const ledgerVerifiedAt = new Gauge({
  name: 'kinora_ledger_verified_timestamp_seconds',
  help: 'Unix time at which the last verification of all accounts completed.',
  aggregator: 'max',
});

export const checkoutsCredited = new Counter({
  name: 'kinora_checkouts_credited_total',
  help: 'Credited checkouts, by what led to it: webhook, return or sweep.',
  labelNames: ['origin'],
});

export const checkoutMismatches = new Counter({
  name: 'kinora_checkout_mismatches_total',
  help: 'Paid pages that were not credited, by what differs from the checkout.',
  labelNames: ['reason'],
});

export const disputesOpened = new Counter({
  name: 'kinora_payment_disputes_total',
  help: 'Disputed payments.',
});

export const oldestEmailAge = new Gauge({
  name: 'kinora_emails_oldest_age_seconds',
  help: 'Age of the oldest waiting e-mail.',
  aggregator: 'max',
});

export const emailsEnded = new Counter({
  name: 'kinora_emails_total',
  help: 'E-mails that were sent or given up.',
  labelNames: ['outcome'],
});
