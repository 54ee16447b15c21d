import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import type { LedgerMonthPage, ReadLedgerMonthRequest } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, monthAfter } from '@kinora/database';
import { type EntryRange, LedgerClosingRepository } from '../wallet/ledger-closing.repository';

const ACCOUNTS_AT_ONCE = 20;
const LINES_AT_ONCE = 2_000;

/** The account with which a page begins, and its last entry that was read; 0 for none. */
interface ArchivePlace {
  accountId: string;
  entryId: number;
}

/** Reads the archive of a closed month: the closing of each account with the one before it, and the entries that lead from one to the other. */
@Injectable()
export class ReadLedgerMonth {
  constructor(private readonly database: Database) {}

  async execute({ month, cursor }: ReadLedgerMonthRequest): Promise<LedgerMonthPage> {
    const repository = new LedgerClosingRepository(this.database);
    const { archived_at, archive_sha256, begin_id } = await repository.getClosedMonth(month);
    if (archived_at !== null) throw archived(month, archive_sha256 ?? '');
    const begin = cursor === undefined ? { accountId: NIL, entryId: 0 } : decodePlace(cursor);
    const count = begin.entryId > 0 ? 1 : ACCOUNTS_AT_ONCE;
    // One extra row shows whether others follow.
    const closings = await repository.listOfMonth(month, begin.accountId, count + 1);
    const following = closings[count];
    const page = closings.slice(0, count);
    const accountIds = page.map(({ account_id }) => account_id);
    const openings = await repository.findBefore(accountIds, monthAfter(new Date(month), -1).toISOString().slice(0, 7));
    const ranges = page.map(({ account_id: accountId, last_entry_id }) => {
      return { accountId, afterId: Math.max(begin_id - 1, begin.entryId), endId: last_entry_id + 1 };
    });
    const limit = LINES_AT_ONCE / count;
    const entries = await repository.readLines(ranges, limit);
    const lines: string[] = [];
    for (const [place, closing] of page.entries()) {
      const opening = openings.get(closing.account_id) ?? null;
      if (begin.entryId === 0) lines.push(JSON.stringify({ opening, closing }));
      const read = entries.get(ranges[place] as EntryRange) ?? [];
      lines.push(...read);
      const entryId = idOf(read.at(-1));
      if (read.length === limit && entryId < closing.last_entry_id)
        return { lines, next_cursor: encodePlace({ accountId: closing.account_id, entryId }) };
    }
    return { lines, next_cursor: following ? encodePlace({ accountId: following.account_id, entryId: 0 }) : null };
  }
}

function archived(month: string, sha256: string): ApiError {
  const where = `its entries are in the file with the SHA-256 ${sha256}`;
  return new ApiError('invalid_body', `month ${month} is archived: ${where}.`, { param: 'month' });
}

function idOf(line: string | undefined): number {
  return line === undefined ? 0 : (JSON.parse(line) as { id: number }).id;
}

const PLACE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})$/;

function encodePlace({ accountId, entryId }: ArchivePlace): string {
  return `${accountId}.${entryId}`;
}

/** @throws ApiError invalid_body */
function decodePlace(cursor: string): ArchivePlace {
  const [, accountId, entryId] = PLACE.exec(cursor) ?? [];
  if (accountId && entryId) return { accountId, entryId: Number(entryId) };
  throw new ApiError('invalid_body', 'cursor must be the next_cursor of a page.', { param: 'cursor' });
}
