import { type ChildProcess, fork } from 'node:child_process';
import { SemaphoreTimeout } from '../semaphore';
import { backgroundEnvironment } from './background-environment.config';

export interface WorkRequest<Request> {
  id: number;
  request: Request;
  /** By `Date.now()`, which all processes of a machine share; null without a limit. */
  beginByMs: number | null;
}

/** The result of the request with this id, the message of its error, or that it was not begun in time. */
export type WorkReply<Reply> = { id: number } & ({ result: Reply } | { error: string } | { isTooLate: true });

/** The file that the process runs, which calls `serveParent`, and other Node options than those of this process. */
export interface BackgroundProgram {
  file: string;
  execArgv?: string[];
}

interface Waiting<Reply> {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** A start takes 0.1 s of processor time, and an idle process 60 MB. */
const IDLE_MS = 60_000;
/** All callers have given up by then: a process that is stopped, or in an endless loop, would hold their permits for ever. */
const STUCK_MS = 60_000;

/**
 * A separate process of low priority for work that takes long. Its first request starts it; it ends once it was idle for a
 * minute, or left its requests without any reply for a minute, and with this process.
 *
 * Linux divides processor time between sessions or control groups before it compares the priorities of threads. A thread of
 * low priority therefore delays the event loops of all other services, while a session of low priority does not.
 */
export class BackgroundProcess<Request, Reply> {
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<number, Waiting<Reply>>();
  private idleTimer: NodeJS.Timeout | undefined;
  private stuckTimer: NodeJS.Timeout | undefined;
  private lastId = 0;

  constructor(
    private readonly program: BackgroundProgram,
    private readonly idleMs = IDLE_MS,
    private readonly stuckMs = STUCK_MS,
  ) {}

  /** The id of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * @param beginWithinMs work that cannot begin within this time is not begun; null for no limit.
   * @throws SemaphoreTimeout if the work was not begun; Error if it fails, or if the process ends before it is done.
   */
  run(request: Request, beginWithinMs: number | null = null): Promise<Reply> {
    clearTimeout(this.idleTimer);
    const child = (this.child ??= this.start());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.waiting.size === 1) this.watch(child);
      child.channel?.ref();
      const beginByMs = beginWithinMs === null ? null : Date.now() + beginWithinMs;
      child.send({ id, request, beginByMs } satisfies WorkRequest<Request>);
    });
  }

  /** Ends the process. A later request starts another one. */
  close(): void {
    clearTimeout(this.idleTimer);
    const { child } = this;
    this.child = undefined;
    if (child?.connected) child.disconnect();
  }

  private start(): ChildProcess {
    const { file, execArgv } = this.program;
    const child = fork(file, {
      // Alone in its session, so that the session can have the low priority.
      detached: true,
      serialization: 'advanced',
      env: backgroundEnvironment(),
      ...(execArgv && { execArgv }),
    });
    // Only requests that wait keep this process alive.
    child.unref();
    child.channel?.unref();
    child.on('message', (reply) => this.settle(reply as WorkReply<Reply>));
    child.on('error', (error) => this.abandon(child, error));
    child.once('exit', (code, signal) => this.abandon(child, new Error(`The process ended (${signal ?? code}).`)));
    return child;
  }

  private settle(reply: WorkReply<Reply>): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    clearTimeout(this.stuckTimer);
    if (this.waiting.size === 0) this.rest();
    else if (this.child) this.watch(this.child);
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject('error' in reply ? new Error(reply.error) : new SemaphoreTimeout());
  }

  /** Ends the process unless it replies in time. */
  private watch(child: ChildProcess): void {
    clearTimeout(this.stuckTimer);
    this.stuckTimer = setTimeout(() => child.kill('SIGKILL'), this.stuckMs).unref();
  }

  private rest(): void {
    this.child?.channel?.unref();
    this.idleTimer = setTimeout(() => this.close(), this.idleMs).unref();
  }

  /** Rejects all requests that wait for the process; the next request starts a new one. */
  private abandon(child: ChildProcess, reason: Error): void {
    if (this.child !== child) return;
    this.child = undefined;
    clearTimeout(this.stuckTimer);
    const error = new Error(`${this.program.file} did not finish: ${reason.message}`);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
