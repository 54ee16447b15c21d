/** Lists that the console itself answers, beside those of the API. */

export interface Payment {
  id: string;
  created_at: string;
  amount_micros: number;
  status: string;
  kind: string;
  error?: string | null;
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
}
