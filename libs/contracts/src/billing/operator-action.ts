/** What every change that an operator makes says of itself. */
export interface OperatorRequest {
  /** Who asks, as they call themselves; kept with what was changed. */
  actor?: string;
  reason?: string;
}

/** One change that an operator made to an account. */
export interface OperatorAction {
  action: string;
  actor: string | null;
  reason: string | null;
  /** What was asked for. */
  details: Record<string, unknown>;
  created_at: string;
}
