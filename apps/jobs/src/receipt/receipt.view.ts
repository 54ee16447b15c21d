import type { JobEntry } from '@kinora/contracts/billing/billing.rpc';
import { OPERATION_NAMES, type OperationName } from '@kinora/contracts/jobs/job-choices';
import type { ReceiptEntry, ReceiptPayload, ReceiptPrice } from '@kinora/contracts/jobs/receipt';
import { isInFlight, type JobKind } from '@kinora/contracts/jobs/job';
import type { DecisionReference } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ReceiptRow } from './receipt-fact.entity';

export interface OtherFacts {
  entries: JobEntry[];
  decisions: DecisionReference[];
}

/**
 * What the receipt of an ended job states. Every fact is fixed, so a repeated call gives an equal payload.
 * @throws ApiError job_in_flight; capacity until the ledger has the capture or the refund
 */
export function toReceiptPayload(row: ReceiptRow, { entries, decisions }: OtherFacts): ReceiptPayload {
  const { status, completed_at } = row;
  if (isInFlight(status) || completed_at === null) throw jobInFlight();
  return {
    version: 1,
    job_id: row.id,
    account_id: row.account_id,
    operation: operationOf(row.kind),
    model: row.model,
    outcome: { status: status as ReceiptPayload['outcome']['status'], error_code: row.error_code },
    accepted_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: completed_at.toISOString(),
    attempts: row.attempts,
    gpu_ms: row.gpu_ms,
    price: toReceiptPrice(row),
    hold: entryOf(entries, 'reserve'),
    settlement: entryOf(entries, status === 'succeeded' ? 'capture' : 'refund'),
    request_sha256: row.accepted_facts?.request_sha256 ?? null,
    input_image_sha256: row.accepted_facts?.input_image_sha256 ?? null,
    // A job without a success has none.
    output_sha256: row.passed_output_sha256 ?? [],
    moderation: decisionsUntilEnd(row, completed_at, decisions),
  };
}

export function jobInFlight(): ApiError {
  return new ApiError('job_in_flight', 'The job has not ended yet. Its receipt exists after its end.');
}

function operationOf(kind: JobKind): OperationName {
  if (kind === 'image.variation' || kind === 'image.inpaint') throw new Error(`No operation creates jobs of ${kind}`);
  return OPERATION_NAMES[kind];
}

export function toReceiptPrice({ price_micros: micros, accepted_facts: facts, quote_id }: ReceiptRow): ReceiptPrice {
  const common = { micros, currency: 'USD', quote_id } as const;
  if (facts?.price) return { ...common, ...facts.price, source: quote_id === null ? 'catalog' : 'quote' };
  return { ...common, unit_micros: null, per: null, quantity: null, source: facts ? 'hold' : null };
}

function entryOf(entries: JobEntry[], wanted: JobEntry['kind']): ReceiptEntry {
  const entry = entries.find(({ kind }) => kind === wanted);
  // A job ends before billing has ended its hold; a sweeper repeats that within seconds.
  if (!entry) throw ApiError.unavailable('The ledger entry of the job');
  const { entry_id, kind, amount_micros, created_at } = entry;
  return { ledger_entry_id: entry_id, kind, amount_micros, at: created_at };
}

/**
 * A cancel, a deadline or another process may end a job while its outputs are screened. That verdict comes after the end, and would
 * change a receipt that was fetched before. The verdicts that the end rests on count even if the clock of moderation is ahead.
 */
function decisionsUntilEnd(
  { input_decision_id, output_decision_id, error_code }: ReceiptRow,
  endedAt: Date,
  decisions: DecisionReference[],
): ReceiptPayload['moderation'] {
  return decisions
    .filter(
      ({ decision_id, verdict, created_at }) =>
        Date.parse(created_at) <= endedAt.getTime() ||
        decision_id === input_decision_id ||
        decision_id === output_decision_id ||
        (verdict === 'blocked' && error_code === 'content_blocked_output'),
    )
    .map(({ created_at, ...decision }) => ({ ...decision, at: created_at }));
}
