/** One request to a background process. */
export interface WorkRequest<Request> {
  id: number;
  request: Request;
  /** By `Date.now()`, which all processes of a machine share; null without a limit. */
  beginByMs: number | null;
}

/** The result of the request with this id, the message of its error, or that it was not begun in time. */
export type WorkReply<Reply> = { id: number } & ({ result: Reply } | { error: string } | { isTooLate: true });
