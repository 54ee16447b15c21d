import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { AccountStatus } from './account';

export interface ListAccountsRequest {
  /** Matches the name, or the beginning of the account's id or of the shown part of one of its keys; case-insensitive. */
  search?: string;
  status?: AccountStatus;
  /** 1 to 100, by default 20. */
  limit?: number;
  /** The `next_cursor` of the previous page. */
  cursor?: string;
}

export interface AccountSummary {
  account_id: string;
  name: string;
  status: AccountStatus;
  balance_micros: Micros;
  in_flight_jobs: number;
  created_at: string;
}

/** Newest first. */
export interface AccountPage {
  data: AccountSummary[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Ids of one request for names: those of the longest page. */
export const NAMED_ACCOUNTS_MAX = 100;

export const accountListRpc = {
  /** Accounts for operators, newest first. */
  listAccounts: rpc<ListAccountsRequest, AccountPage>('billing.v1.list_accounts', {
    timeoutMs: 10_000,
    errors: ['invalid_body'],
  }),
  /** The names of at most NAMED_ACCOUNTS_MAX accounts by their ids; an unknown id has none. */
  nameAccounts: rpc<{ account_ids: string[] }, { names: Record<string, string> }>('billing.v1.name_accounts', {
    timeoutMs: 2_000,
    errors: ['invalid_body'],
  }),
} as const;
