import { Injectable } from '@nestjs/common';
import { Database, INBOX_PRUNE_PAGE, pruneInbox } from '@kinora/database';
import { InjectLogger, type Logger, Pruner } from '@kinora/service-kit';
import { EMAILS_PRUNE_PAGE, EmailRepository } from '../email/email.repository';
import { LINKS_PRUNE_PAGE, PortalLinkRepository } from '../api-key/portal-link.repository';
import { USER_LINKS_PRUNE_PAGE, UserLinkRepository } from '../user/user-link.repository';
import { SECRETS_PRUNE_PAGE, WebhookSecretRepository } from '../account/webhook-secret.repository';

const EVERY_MS = 60 * 60_000;

/** Deletes handled messages, retired webhook secrets, expired portal links, e-mails of the week before, and their links. */
@Injectable()
export class BillingPruner extends Pruner {
  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecretRepository,
    private readonly links: PortalLinkRepository,
    private readonly emails: EmailRepository,
    private readonly userLinks: UserLinkRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, EVERY_MS);
  }

  async prunePage(): Promise<boolean> {
    const messages = await pruneInbox(this.database);
    const secrets = await this.secrets.prune();
    const links = await this.links.prune();
    const emails = await this.emails.prune();
    const userLinks = await this.userLinks.prune();
    return (
      messages === INBOX_PRUNE_PAGE ||
      secrets === SECRETS_PRUNE_PAGE ||
      links === LINKS_PRUNE_PAGE ||
      emails === EMAILS_PRUNE_PAGE ||
      userLinks === USER_LINKS_PRUNE_PAGE
    );
  }
}
