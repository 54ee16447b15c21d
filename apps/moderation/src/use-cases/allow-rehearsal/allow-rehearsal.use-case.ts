import { Injectable } from '@nestjs/common';
import { assertUuid } from '../../operator-input';
import { RehearsalAccountRepository } from '../../strike/rehearsal-account.repository';

/** Allows an account to rehearse blocks with moderation's own test material, without strikes. Only operators can call it. */
@Injectable()
export class AllowRehearsal {
  constructor(private readonly accounts: RehearsalAccountRepository) {}

  async execute({ account_id }: { account_id: string }): Promise<Record<string, never>> {
    assertUuid('account_id', account_id);
    await this.accounts.allow(account_id);
    return {};
  }
}
