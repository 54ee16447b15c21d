/** Fields of every change that an operator makes. */
export interface OperatorRequest {
  /** The operator's name as given in the request; stored with the change. */
  actor?: string;
  reason?: string;
}

/** One change that an operator, or a key of the account, made to an account. */
export interface OperatorAction {
  action: string;
  actor: string | null;
  /** The key of the account that made the change, if it was no operator. */
  api_key_id?: string | null;
  reason: string | null;
  /** The parameters of the request. */
  details: Record<string, unknown>;
  created_at: string;
}
