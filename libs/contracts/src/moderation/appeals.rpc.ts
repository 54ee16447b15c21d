import type { OperatorRequest } from '../billing/operator-action';
import { rpc } from '../shared/contract';
import { IsVisibleText } from '../shared/field-rules';
import type { PageRequest, PartialList } from '../shared/page';
import type { Timestamp, Uuid } from '../shared/scalars';

/** `upheld`: the block stays. `lifted`: it was wrong, and its strike no longer counts. */
export type AppealStatus = 'open' | 'upheld' | 'lifted';

/** The body of (API: POST /jobs/{id}/appeal). */
export class AppealBody {
  /** Why the block is wrong. An operator reads it beside the record of the decision; the output itself is not kept. */
  @IsVisibleText({ min: 1, max: 500 })
  text!: string;
}

/** An appeal as its customer sees it. */
export interface Appeal {
  object: 'appeal';
  id: Uuid;
  job_id: Uuid;
  /** The decision that blocked the output. */
  decision_id: Uuid;
  /** `open` until an operator has decided: `upheld`, and the block stays, or `lifted`, and its strike no longer counts. */
  status: AppealStatus;
  created_at: Timestamp;
  decided_at: Timestamp | null;
  /** Why the operator decided so; null while it is open. */
  reason: string | null;
}

export interface AppealRequest {
  account_id: string;
  job_id: string;
  text: string;
}

/** The appeals of a customer, through the gateway. */
export const appealsRpc = {
  /**
   * Appeals against the block of a job's output within 30 days. A job has one appeal: a repeat is answered with it, and changes nothing.
   * The text is moderated like a prompt.
   */
  appeal: rpc<AppealRequest, Appeal>('moderation.v1.appeal_job', {
    errors: ['not_found', 'content_blocked_prompt'],
  }),
} as const;

/** An appeal as operators see it. */
export interface AppealDetails {
  appeal_id: string;
  account_id: string;
  job_id: string;
  decision_id: string;
  text: string;
  status: AppealStatus;
  created_at: string;
  decided_at: string | null;
  decided_by: string | null;
  reason: string | null;
}

export interface ListAppealsRequest extends PageRequest {
  /** Open ones if absent. */
  status?: string;
  limit?: number;
}

export interface DecideAppealRequest extends OperatorRequest {
  appeal_id: string;
  status: Exclude<AppealStatus, 'open'>;
}

/** The queue of operators. */
export const appealsAdminRpc = {
  /** Oldest first. */
  list: rpc<ListAppealsRequest, PartialList<AppealDetails>>('moderation.v1.list_appeals', { errors: ['invalid_body'] }),
  /** Decides an open appeal; `lifted` also lifts the strike. Idempotent: a repeat returns the first decision. */
  decide: rpc<DecideAppealRequest, AppealDetails>('moderation.v1.decide_appeal', {
    errors: ['invalid_body', 'not_found'],
  }),
} as const;
