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
  route: string;
  status: number;
  /** Of the error response; null after a success. */
  code: string | null;
  duration_ms: number;
  api_key_id: string | null;
}
