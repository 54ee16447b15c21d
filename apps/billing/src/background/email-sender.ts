import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { GaugeSampler } from '@kinora/database';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { oldestEmailAge } from '../billing.metrics';
import { EmailRepository } from '../email/email.repository';
import { SendEmails } from '../use-cases/send-emails.use-case';

const POLL_MS = 1_000;
const SAMPLE_EVERY_MS = 15_000;

/** Sends e-mail, and publishes how long the oldest one waits. Several replicas can send at the same time. */
@Injectable()
export class EmailSender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(send: SendEmails, emails: EmailRepository, sampler: GaugeSampler, @InjectLogger() logger: Logger) {
    this.loop = new WorkLoop({
      work: async () => ((await send.execute()) > 0 ? 'more' : 'idle'),
      idleMs: POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'email_sender_interrupted'),
    });
    sampler.add({
      name: 'emails',
      gauges: [oldestEmailAge],
      everyMs: SAMPLE_EVERY_MS,
      read: async () => [{ gauge: oldestEmailAge, value: await emails.findOldestAge() }],
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }
}
