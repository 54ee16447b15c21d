import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { addLines, closingProblems, type LedgerClosing, openMonth } from '@kinora/contracts/billing/ledger-month';
import { ledgerMonthRpc, type LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { formatTable, type Report } from '../output/report';
import type { StackClient } from '../stack/stack-client';

const LINES_AT_ONCE = 1_000;

/** An archive begins with its month and ends with the hash of all lines before. */
interface Head {
  ledger_month: string;
}

interface AccountHead {
  opening: LedgerClosing | null;
  closing: LedgerClosing;
}

interface End {
  sha256: string;
}

export interface ArchiveReport {
  ok: boolean;
  month: string | null;
  accounts: number;
  entries: number;
  /** Of the file without its last line. Kept elsewhere, it proves that the file is still the one that was written. */
  sha256: string;
  /** Whether billing has recorded this hash for the month; null where no stack was asked. */
  recorded: boolean | null;
  violations: LedgerReport['violations'];
}

/** @throws ApiError invalid_body for a file that exists */
export async function exportMonth(stack: StackClient, month: string, file: string): Promise<void> {
  const handle = await open(file, 'wx').catch((error: Error) => {
    throw new ApiError('invalid_body', `${file} cannot be written: ${error.message}.`, { param: 'file' });
  });
  const hash = createHash('sha256');
  const write = async (lines: string[]): Promise<void> => {
    const text = lines.map((line) => `${line}\n`).join('');
    hash.update(text);
    await handle.appendFile(text);
  };
  try {
    const head: Head = { ledger_month: month };
    let page = await stack.request(ledgerMonthRpc.read, { month });
    await write([JSON.stringify(head), ...page.lines]);
    while (page.next_cursor !== null) {
      page = await stack.request(ledgerMonthRpc.read, { month, cursor: page.next_cursor });
      await write(page.lines);
    }
    const end: End = { sha256: hash.copy().digest('hex') };
    await write([JSON.stringify(end)]);
  } catch (error) {
    await rm(file);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Adds the entries of the file up again. @throws ApiError invalid_body for a file that is no archive */
export async function verifyArchive(file: string): Promise<ArchiveReport> {
  const archive = new Archive();
  try {
    for await (const line of linesOf(file)) archive.read(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError('invalid_body', `${file} is no archive of the ledger: ${reason}.`, { param: '--archive' });
  }
  return archive.end();
}

/** Records the hash of a sound file, without which billing drops none of its entries. */
export async function recordExport(stack: StackClient, report: ArchiveReport): Promise<ArchiveReport> {
  const { ok, month, sha256, accounts, entries } = report;
  if (!ok || month === null) return report;
  await stack.request(ledgerMonthRpc.recordExport, { month, sha256, accounts, entries });
  return { ...report, recorded: true };
}

/** Compares the file with the hash that billing has recorded. Without a stack, the file is compared with itself only. */
export async function compareWithRecord(stack: StackClient, report: ArchiveReport): Promise<ArchiveReport> {
  const { month, sha256 } = report;
  if (month === null || !hasStack(stack)) return report;
  const { archive_sha256 } = await stack.request(ledgerMonthRpc.show, { month });
  if (archive_sha256 === null || archive_sha256 === sha256) return { ...report, recorded: archive_sha256 === sha256 };
  const detail = `the SHA-256 of ${month} was recorded as ${archive_sha256}`;
  const violations = [...report.violations, { rule: 'archive_is_as_recorded', account_id: null, detail }];
  return { ...report, ok: false, recorded: false, violations };
}

function hasStack(stack: StackClient): boolean {
  try {
    return stack.find() !== null;
  } catch {
    return false;
  }
}

/** Split at line feeds only: a reason may contain other separators of lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** The lines of an archive in their order, of which it keeps few. */
class Archive {
  private readonly hash = createHash('sha256');
  private month: string | null = null;
  private account: (AccountHead & { found: LedgerClosing }) | null = null;
  private pending: string[] = [];
  private accounts = 0;
  private entries = 0;
  private stated: string | null = null;
  private readonly violations: ArchiveReport['violations'] = [];

  read(line: string): void {
    const record = JSON.parse(line) as Partial<Head & AccountHead & End>;
    if (this.stated !== null) throw new Error('lines follow its end');
    if (record.sha256 !== undefined) this.stated = record.sha256;
    else this.hash.update(`${line}\n`);
    if (record.ledger_month !== undefined) this.month = record.ledger_month;
    else if (record.closing) this.beginAccount({ opening: record.opening ?? null, closing: record.closing });
    else if (record.sha256 === undefined) this.addEntry(line);
  }

  end(): ArchiveReport {
    this.endAccount();
    const sha256 = this.hash.digest('hex');
    const detail = this.stated === null ? 'the file has no end' : 'the lines are not those that were written';
    if (this.stated !== sha256) this.violations.push({ rule: 'archive_is_complete', account_id: null, detail });
    const { month, accounts, entries, violations } = this;
    return { ok: violations.length === 0, month, accounts, entries, sha256, recorded: null, violations };
  }

  private beginAccount({ opening, closing }: AccountHead): void {
    this.endAccount();
    const found = openMonth(closing.account_id, this.month ?? '', opening);
    this.account = { opening, closing, found };
    this.accounts += 1;
    for (const detail of closingProblems(closing, opening)) this.addViolation('closing_adds_up', detail);
  }

  private addEntry(line: string): void {
    if (!this.account) throw new Error('an entry is of no account');
    this.entries += 1;
    this.pending.push(line);
    if (this.pending.length === LINES_AT_ONCE) this.addUp();
  }

  private addUp(): void {
    if (this.account) this.account.found = addLines(this.account.found, this.pending, sha256Of);
    this.pending = [];
  }

  private endAccount(): void {
    this.addUp();
    if (!this.account) return;
    const { closing, found } = this.account;
    if (!isDeepStrictEqual(found, closing))
      this.addViolation(
        'closing_equals_entries',
        `the ${found.entries} entries do not lead to the closing of ${closing.entries}`,
      );
    this.account = null;
  }

  private addViolation(rule: string, detail: string): void {
    this.violations.push({ rule, account_id: this.account?.closing.account_id ?? null, detail });
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function toReport(report: ArchiveReport): Report {
  const { ok, month, accounts, entries, sha256, recorded, violations } = report;
  const counts = `${month}, ${accounts} accounts, ${entries} entries, SHA-256 ${sha256}`;
  const summary = `${ok ? 'ok' : 'FAIL'}: ${counts}${recorded === true ? ', as recorded' : ''}`;
  const text = ok ? summary : `${summary}\n${formatTable(violations, ['rule', 'account_id', 'detail'])}`;
  return { value: report, text, failed: !ok };
}
