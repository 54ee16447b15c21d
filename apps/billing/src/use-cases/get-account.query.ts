import { Injectable } from '@nestjs/common';
import { type Account, ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import {
  type AccountPage,
  type ListAccountsRequest,
  NAMED_ACCOUNTS_MAX,
} from '@kinora/contracts/billing/account-list.rpc';
import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountListRepository, accountNotFound, AccountRepository, toAccount } from '../account/account.repository';
import {
  assertInteger,
  assertOneOf,
  assertText,
  assertUuid,
  assertUuids,
  MAX_NAME_LENGTH,
} from '../operator/operator-input';

/** Returns the account of the caller, with the API key of the request. */
@Injectable()
export class GetAccount {
  constructor(private readonly accounts: AccountRepository) {}

  async execute({ account_id, api_key_id }: { account_id: string; api_key_id: string }): Promise<Account> {
    const row = await this.accounts.findWithKey(account_id, api_key_id);
    if (!row) throw accountNotFound();
    return toAccount(row);
  }
}

/** Returns an account for operators. */
@Injectable()
export class ShowAccount {
  constructor(private readonly accounts: AccountRepository) {}

  async execute({ account_id }: { account_id: string }): Promise<AccountDetails> {
    return this.accounts.getDetails(account_id);
  }
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists accounts for operators, newest first, page by page. The cursor is the id of the last account on the page. */
@Injectable()
export class ListAccounts {
  constructor(private readonly accounts: AccountListRepository) {}

  async execute(request: ListAccountsRequest): Promise<AccountPage> {
    assertText(request, 'search', MAX_NAME_LENGTH);
    assertOneOf(request, 'status', ACCOUNT_STATUSES);
    assertInteger(request, 'limit', { max: MAX_LIMIT });
    assertUuid(request, 'cursor');
    const { search = null, status = null, cursor = null, limit = DEFAULT_LIMIT } = request;
    // One extra row shows whether older ones follow.
    const rows = await this.accounts.list({ search, status, beforeId: cursor, limit: limit + 1 });
    const data = rows.slice(0, limit);
    const has_more = rows.length > limit;
    return { data, has_more, next_cursor: has_more ? (data.at(-1)?.account_id ?? null) : null };
  }

  async findNames(request: { account_ids: string[] }): Promise<{ names: Record<string, string> }> {
    assertUuids(request, 'account_ids', NAMED_ACCOUNTS_MAX);
    const rows = await this.accounts.findNames(request.account_ids);
    return { names: Object.fromEntries(rows.map(({ id, name }) => [id, name])) };
  }
}
