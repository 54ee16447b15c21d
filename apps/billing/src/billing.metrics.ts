import { Counter, Gauge } from '@kinora/metrics';

export const openHolds = new Gauge({
  name: 'kinora_holds_open',
  help: 'Holds that are neither captured nor refunded, counted up to 50,000.',
  aggregator: 'max',
});

export const heldMicros = new Gauge({
  name: 'kinora_holds_open_micros',
  help: 'Money in those holds, in millionths of a dollar.',
  aggregator: 'max',
});

export const oldestHoldAge = new Gauge({
  name: 'kinora_holds_oldest_age_seconds',
  help: 'Age of the oldest of those holds; 0 where there is none.',
  aggregator: 'max',
});

export const holdMoves = new Counter({
  name: 'kinora_hold_moves_total',
  help: 'Holds that were ended, by capture or refund. A repeated request ends nothing.',
  labelNames: ['kind'],
});

export const ledgerDrift = new Gauge({
  name: 'kinora_ledger_drift_micros',
  help: 'What the books of the ledger add up to, over all accounts that were verified last, which must be 0.',
  aggregator: 'max',
});

export const ledgerViolations = new Gauge({
  name: 'kinora_ledger_violations',
  help: 'Rules of the ledger that were found broken when all accounts were verified last, or since then.',
  aggregator: 'max',
});

export const ledgerVerifiedAt = new Gauge({
  name: 'kinora_ledger_verified_timestamp_seconds',
  help: 'When all accounts had been verified last, in Unix time.',
  aggregator: 'max',
});
