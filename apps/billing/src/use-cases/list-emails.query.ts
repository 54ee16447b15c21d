import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { MailCheck, ShownEmail } from '@kinora/contracts/billing/email.rpc';
import type { PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { BillingConfig } from '../billing.config';
import { Emails } from '../email/emails';
import { EmailRepository, type ShownEmailRow } from '../email/email.repository';
import { openTexts } from '../email/sealed-texts';
import { assertUuid } from '../operator/operator-input';

const PAGE = 20;
/** Less than the time that a command waits for its answer. */
const CHECK_MS = 4_000;

/** Shows operators the e-mails of the last week, and whether the mail server answers. */
@Injectable()
export class ListEmails {
  constructor(
    private readonly emails: Emails,
    private readonly repository: EmailRepository,
    private readonly config: BillingConfig,
  ) {}

  async list(request: PageRequest): Promise<PartialList<ShownEmail>> {
    assertUuid(request, 'cursor');
    const rows = await this.repository.list({ cursor: request.cursor ?? null, limit: PAGE + 1 });
    const page = toPage(rows, { limit: PAGE, cursorOf: ({ id }) => id });
    return { ...page, data: page.data.map((row) => this.show(row)) };
  }

  async check(): Promise<MailCheck> {
    const { transport } = this.emails;
    if (transport === null) return { transport: 'none', problem: null };
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, CHECK_MS, `it did not answer within ${CHECK_MS / 1_000} s`).unref();
    });
    const answer = transport.check().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return { transport: transport.name, problem: await Promise.race([answer, late]) };
  }

  private show({ id, sealed, created_at, sent_at, ended_at, ...row }: ShownEmailRow): ShownEmail {
    const isReadable = this.emails.transport?.isReadable === true && sealed !== null;
    return {
      email_id: id,
      ...row,
      state: sent_at !== null ? 'sent' : ended_at === null ? 'waiting' : 'given_up',
      created_at: created_at.toISOString(),
      sent_at: sent_at?.toISOString() ?? null,
      text: isReadable ? (openTexts(this.config, id, sealed)?.text ?? null) : null,
    };
  }
}
