import { lowerSessionPriority } from '../thread-priority';
import type { WorkReply, WorkRequest } from './background-process';
import { BACKGROUND_PERMITS, SPARE_BACKGROUND_PERMITS } from './background-permits';

export interface ServeOptions {
  /** Whether a client waits for the work; true by default. Other work begins only while no background work of the machine waits. */
  isAwaited?: boolean;
  /** Of the process and its session; 10 by default, which is a ninth of the processor time of a busy machine. */
  niceness?: number;
}

/** Makes this program a background process: it works at low priority on the requests of its parent, and ends with it. */
export function serveParent<Request, Reply>(
  work: (request: Request) => Promise<Reply>,
  { isAwaited = true, niceness }: ServeOptions = {},
): void {
  const permits = isAwaited ? BACKGROUND_PERMITS : SPARE_BACKGROUND_PERMITS;
  lowerSessionPriority(niceness);
  // Without a callback, a reply to a parent that has just ended is an uncaught error.
  const reply = (message: WorkReply<Reply>): void => void process.send?.(message, (error) => error && process.exit());
  process.on('message', ({ id, request, beginByMs }: WorkRequest<Request>) => {
    const begin = async (): Promise<WorkReply<Reply>> =>
      // The permit may have come after the caller's deadline.
      Date.now() > (beginByMs ?? Infinity) ? { id, isTooLate: true } : { id, result: await work(request) };
    permits.run(begin).then(reply, (error: unknown) => reply({ id, error: String(error) }));
  });
  process.once('disconnect', () => process.exit());
}
