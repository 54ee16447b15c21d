import { Injectable } from '@nestjs/common';
import type { Queryable } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RehearsalAccountEntity } from './rehearsal-account.entity';

/** Accounts that rehearse: blocks of moderation's own test material are no strikes of theirs. */
@Injectable()
export class RehearsalAccountRepository {
  constructor(
    @InjectRepository(RehearsalAccountEntity) private readonly accounts: Repository<RehearsalAccountEntity>,
  ) {}

  /** Twice is as good as once. */
  async allow(accountId: string): Promise<void> {
    await this.accounts.createQueryBuilder().insert().values({ account_id: accountId }).orIgnore().execute();
  }

  isAllowed(on: Queryable, accountId: string): Promise<boolean> {
    return on.repository(RehearsalAccountEntity).existsBy({ account_id: accountId });
  }
}
