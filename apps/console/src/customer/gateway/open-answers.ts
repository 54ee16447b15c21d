import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply } from 'fastify';
import { SessionRepository } from '../../session/session.repository';

/** A session that ended anywhere ends its streams within this time, and the time of one statement. */
const CHECK_EVERY_MS = 2_000;

/** The answers that are being sent to sessions. Those of a session that has ended are cut, such as streams of events. */
@Injectable()
export class OpenAnswers implements OnModuleDestroy {
  private readonly open = new Map<string, Set<AbortController>>();
  private cancelCheck: (() => void) | undefined;

  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns the signal that cuts the answer: its session has ended, or its browser has left. */
  begin(sessionId: Buffer, reply: FastifyReply): AbortSignal {
    const key = sessionId.toString('hex');
    const controller = new AbortController();
    const ofSession = this.open.get(key) ?? new Set();
    this.open.set(key, ofSession.add(controller));
    this.schedule();
    // Both: a browser that leaves, and an answer that is complete.
    reply.raw.once('close', () => {
      controller.abort();
      ofSession.delete(controller);
      if (ofSession.size === 0 && this.open.get(key) === ofSession) this.open.delete(key);
    });
    return controller.signal;
  }

  onModuleDestroy(): void {
    this.cancelCheck?.();
    for (const key of [...this.open.keys()]) this.cut(key);
  }

  private schedule(): void {
    this.cancelCheck ??= this.clock.after(CHECK_EVERY_MS, () => void this.check());
  }

  /** One statement for all of them. A failed check cuts nothing: it is repeated soon. */
  private async check(): Promise<void> {
    try {
      const keys = [...this.open.keys()];
      const unexpired = await this.sessions.findUnexpired(keys.map((key) => Buffer.from(key, 'hex')));
      const kept = new Set(unexpired.map((id) => id.toString('hex')));
      for (const key of keys.filter((each) => !kept.has(each))) this.cut(key);
    } catch (error) {
      this.logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'session_check_failed');
    }
    this.cancelCheck = undefined;
    if (this.open.size > 0) this.schedule();
  }

  private cut(key: string): void {
    for (const controller of this.open.get(key) ?? []) controller.abort();
  }
}
