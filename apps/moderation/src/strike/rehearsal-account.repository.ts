import { Injectable } from '@nestjs/common';
import type { Queryable } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RehearsalAccountEntity } from './rehearsal-account.entity';

/** Accounts that may rehearse: blocks of moderation's own test material add no strikes. */
@Injectable()
export class RehearsalAccountRepository {
  constructor(
    @InjectRepository(RehearsalAccountEntity) private readonly accounts: Repository<RehearsalAccountEntity>,
  ) {}

  /** Idempotent. */
  async allow(accountId: string): Promise<void> {
    await this.accounts.createQueryBuilder().insert().values({ account_id: accountId }).orIgnore().execute();
  }

  isAllowed(on: Queryable, accountId: string): Promise<boolean> {
    return on.repository(RehearsalAccountEntity).existsBy({ account_id: accountId });
  }
}
