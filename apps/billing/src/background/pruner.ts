import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, INBOX_PRUNE_PAGE, pruneInbox } from '@kinora/database';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { LINKS_PRUNE_PAGE, PortalLinkRepository } from '../portal/portal-link.repository';
import { SECRETS_PRUNE_PAGE, WebhookSecretRepository } from '../account/webhook-secret.repository';

const EVERY_MS = 60 * 60_000;

/** Deletes rows that are no longer read, page by page. Several replicas can prune at the same time. */
@Injectable()
export class Pruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecretRepository,
    private readonly links: PortalLinkRepository,
    @InjectLogger() logger: Logger,
  ) {
    this.loop = new WorkLoop({
      work: async () => ((await this.prunePage()) ? 'more' : 'idle'),
      idleMs: EVERY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'pruning_interrupted'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns whether there may be more. */
  async prunePage(): Promise<boolean> {
    const messages = await pruneInbox(this.database);
    const secrets = await this.secrets.prune();
    const links = await this.links.prune();
    return messages === INBOX_PRUNE_PAGE || secrets === SECRETS_PRUNE_PAGE || links === LINKS_PRUNE_PAGE;
  }
}
