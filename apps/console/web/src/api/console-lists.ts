/** Lists that the console itself answers, beside those of the API. */

export interface Payment {
  payment_id: string;
  amount_micros: number;
  /** Unknown: the charge was sent, and its outcome is queried until it is known. */
  state: 'begun' | 'unknown' | 'succeeded' | 'failed';
  failure: string | null;
  created_at: string;
}

export interface AutoRecharge {
  enabled: boolean;
  threshold_micros: number;
  amount_micros: number;
  monthly_cap_micros: number | null;
  failures: number;
  /** Why the service switched it off; null if it did not. */
  stopped_reason: string | null;
}

/** What the jobs of one key have cost in a period. */
export interface KeySpend {
  /** Null for the keys of all portal sessions together. */
  api_key_id: string | null;
  name: string | null;
  prefix: string | null;
  revoked_at: string | null;
  jobs: number;
  charged_micros: number;
}

export interface KeySpendList {
  data: KeySpend[];
  has_more: boolean;
}

/** One request to the API that has ended. */
export interface LoggedRequest {
  id: string;
  at: string;
  method: string;
  /** Null for an unknown endpoint. */
  route: string | null;
  /** Null where the client disconnected before the response. */
  status: number | null;
  /** Of the error response; null after a success. */
  code: string | null;
  duration_ms: number;
  api_key_id: string;
  job_id: string | null;
  /** Whether a page of the console has sent it. */
  from_console: boolean;
}

/** A browser that is signed in to the account. */
export interface OwnSession {
  id: string;
  is_current: boolean;
  /** Whether a portal link opened it. */
  is_portal: boolean;
  key_prefix: string | null;
  address: string;
  user_agent: string;
  created_at: string;
  expires_at: string;
}
