import { signal } from '../shared/contract';

/** A request of an account that has ended: never its body, its query or its headers. */
export interface EndedRequest {
  /** `req_…` */
  id: string;
  account_id: string;
  api_key_id: string;
  /** When it arrived. */
  at: string;
  method: string;
  /** The template of its route, such as `/v1/jobs/:id`; null for an unknown endpoint. */
  route: string | null;
  /** Null where the client disconnected before the response. */
  status: number | null;
  /** The error code of the response. */
  code: string | null;
  /** What the response says is wrong; left out without an error. */
  message?: string;
  /** The field or parameter that the error names. */
  param?: string;
  /** The size of the body as the client has stated it. */
  bytes?: number;
  duration_ms: number;
  /** The job that it created or addressed. */
  job_id: string | null;
  /** Whether a page of the console has sent it, by its `User-Agent`. Left out for a program. */
  from_console?: boolean;
}

/** The `User-Agent` of requests that the console forwards. It grants nothing, so another client may send it as well. */
export const CONSOLE_USER_AGENT = 'kinora-console';

export const requestLogSignals = {
  /** For the request log of the console. A request of a lost or dropped signal is missing there; nothing else depends on it. */
  ended: signal<{ requests: EndedRequest[] }>('console.v1.signal.requests_ended'),
} as const;
