import { Controller } from '@nestjs/common';
import { emailRpc, type MailCheck, type ShownEmail } from '@kinora/contracts/billing/email.rpc';
import type { PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { Handles } from '@kinora/bus';
import { ListEmails } from './use-cases/list-emails.query';

/** Serves the operators' requests about e-mail. */
@Controller()
export class EmailController {
  constructor(private readonly emails: ListEmails) {}

  @Handles(emailRpc.list)
  list(request: PageRequest): Promise<PartialList<ShownEmail>> {
    return this.emails.list(request);
  }

  @Handles(emailRpc.check)
  check(_request: Record<string, never>): Promise<MailCheck> {
    return this.emails.check();
  }
}
