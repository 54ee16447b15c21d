import { Injectable } from '@nestjs/common';
import type { LedgerMonthState, RecordLedgerExportRequest } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { LedgerArchiveRepository } from '../wallet/ledger-archive.repository';
import { LedgerClosingRepository, toMonthState } from '../wallet/ledger-closing.repository';

/** Records that a verified file has the entries of a closed month: without one, they are never dropped. */
@Injectable()
export class RecordLedgerExport {
  constructor(private readonly database: Database) {}

  /** A repeat with the same hash changes nothing. */
  async execute({ month, sha256, accounts, entries }: RecordLedgerExportRequest): Promise<LedgerMonthState> {
    if (!/^[0-9a-f]{64}$/.test(sha256))
      throw new ApiError('invalid_body', 'sha256 must be 64 hexadecimal digits.', { param: 'sha256' });
    const closed = await new LedgerClosingRepository(this.database).getClosedMonth(month);
    const archive = new LedgerArchiveRepository(this.database);
    const expected = await archive.count(month);
    if (accounts !== expected.accounts || entries !== expected.entries)
      throw refused('entries', `${month} has ${expected.entries} entries of ${expected.accounts} accounts`);
    const archive_sha256 = await archive.record(month, sha256);
    if (archive_sha256 !== sha256)
      throw refused(
        'sha256',
        `${month} was exported with the SHA-256 ${archive_sha256}, and its lines have changed since`,
      );
    return toMonthState({ ...closed, archive_sha256 });
  }
}

function refused(param: string, problem: string): ApiError {
  return new ApiError('invalid_body', `${problem}.`, { param });
}

/** Shows a closed month, and the hash of its file. */
@Injectable()
export class ShowLedgerMonth {
  constructor(private readonly database: Database) {}

  async execute({ month }: { month: string }): Promise<LedgerMonthState> {
    return toMonthState(await new LedgerClosingRepository(this.database).getClosedMonth(month));
  }
}
