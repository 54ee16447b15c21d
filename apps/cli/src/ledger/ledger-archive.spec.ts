import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addLines, openMonth } from '@kinora/contracts/billing/ledger-month';
import { ledgerMonthRpc } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { answering, on } from '@kinora/testing';
import { useCli } from '../../test/cli.fixtures';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A separator of lines in a reason is none in the file. */
const entry = (id: number, kind: string, [debit, credit]: [string, string], job_id: string | null): string =>
  JSON.stringify({ id, account_id: 'acc-1', kind, debit, credit, amount_micros: 7, job_id, reason: 'a\u2028b' });
const OPENED = [
  entry(1, 'top_up', ['top_ups', 'available'], null),
  entry(2, 'reserve', ['available', 'held'], 'job-1'),
];
const CLOSED = [entry(3, 'capture', ['held', 'revenue'], 'job-1'), entry(4, 'top_up', ['top_ups', 'available'], null)];
const opening = addLines(openMonth('acc-1', '2026-10', null), OPENED, sha256);
const closing = addLines(openMonth('acc-1', '2026-11', opening), CLOSED, sha256);

let recorded: string | null = null;
const stateOf = (month: string) => ({ month, closed_at: '', archive_sha256: recorded, archived_at: null });

const FakeBilling = answering(
  on(ledgerMonthRpc.show, ({ month }) => stateOf(month)),
  on(ledgerMonthRpc.recordExport, ({ month, sha256, accounts, entries }) => {
    expect({ accounts, entries }).toEqual({ accounts: 1, entries: 2 });
    recorded = sha256;
    return stateOf(month);
  }),
  on(ledgerMonthRpc.read, ({ month, cursor }) => {
    if (month !== '2026-11') throw new ApiError('invalid_body', 'month must be a closed month.', { param: 'month' });
    if (cursor !== undefined) return { lines: CLOSED.slice(1), next_cursor: null };
    return { lines: [JSON.stringify({ opening, closing }), CLOSED[0] ?? ''], next_cursor: 'the-rest' };
  }),
);

describe('the archive of a month of the ledger', () => {
  const testBed = useCli(FakeBilling);
  const fileOf = (name: string) => path.join(testBed.folder, name);

  it('is written and recorded once, and is checked without a stack', async () => {
    const file = fileOf('written');
    const exported = await testBed.run(`ledger export ${file} --month 2026-11`);
    const hash = sha256(readFileSync(file, 'utf8').replace(/.*\n$/, ''));
    const out = `ok: 2026-11, 1 accounts, 2 entries, SHA-256 ${hash}`;
    expect(exported).toMatchObject({ exitCode: 0, out: `${out}, as recorded` });
    expect(recorded).toBe(hash);
    expect(await testBed.run(`ledger verify --archive ${file}`)).toEqual(exported);
    expect(await testBed.run(`ledger verify --archive ${file}`, {})).toMatchObject({ exitCode: 0, out });
    expect(await testBed.runJson(`ledger export ${file} --month 2026-11`)).toMatchObject({
      error: { param: 'file', message: expect.stringContaining('EEXIST') as string },
    });
  });

  it('is refused when another hash was recorded', async () => {
    recorded = sha256('another file');
    const { exitCode, out } = await testBed.run(`ledger verify --archive ${fileOf('written')}`);
    expect({ exitCode, out }).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('archive_is_as_recorded') as string,
    });
  });

  it('is not left behind for a month that is not closed', async () => {
    const file = fileOf('open');
    expect(await testBed.runJson(`ledger export ${file} --month 2026-12`)).toMatchObject({
      error: { param: '--month' },
    });
    expect(existsSync(file)).toBe(false);
  });

  /** Lines of the file: the month, the account, its entries, and the hash, which a forger writes again. */
  it.each([
    { damage: 'an entry is changed', forge: ([a, b, c, d]: string[]) => [a, b, c?.replace(':7', ':8'), d] },
    { damage: 'an entry is removed', forge: ([a, b, c]: string[]) => [a, b, c] },
    { damage: 'an entry is added', forge: ([a, b, c, d]: string[]) => [a, b, c, d, d] },
    { damage: 'entries change places', forge: ([a, b, c, d]: string[]) => [a, b, d, c] },
    {
      damage: 'an open hold is not carried into the month',
      forge: ([a, b, c, d]: string[]) => [a, b?.replace('"open_holds":{"job-1":7}', '"open_holds":{"job-2":7}'), c, d],
      rule: 'closing_equals_entries',
    },
    {
      damage: 'a closing is changed',
      forge: ([a, b, c, d]: string[]) => [a, b?.replace('"opening_micros":7', '"opening_micros":6'), c, d],
      rule: 'closing_adds_up',
    },
    { damage: 'its end is missing', forge: (lines: string[]) => lines, end: '', rule: 'archive_is_complete' },
    {
      damage: 'only its hash is changed',
      forge: (lines: string[]) => lines,
      end: JSON.stringify({ sha256: sha256('') }),
      rule: 'archive_is_complete',
    },
  ])('is refused when $damage', async ({ forge, end, rule = 'closing_equals_entries' }) => {
    const lines = [JSON.stringify({ ledger_month: '2026-11' }), JSON.stringify({ opening, closing }), ...CLOSED];
    const text = forge(lines)
      .map((line) => `${line}\n`)
      .join('');
    const file = fileOf('forged');
    writeFileSync(file, text + (end ?? JSON.stringify({ sha256: sha256(text) })));
    const { exitCode, out } = await testBed.run(`ledger verify --archive ${file}`, {});
    expect({ exitCode, out }).toMatchObject({ exitCode: 1, out: expect.stringContaining(rule) as string });
  });

  it.each(['no json', '{"id":1}'])('names the flag for a file of %s', async (text) => {
    const file = fileOf('other');
    writeFileSync(file, text);
    expect(await testBed.runJson(`ledger verify --archive ${file}`)).toMatchObject({
      error: { code: 'invalid_body', param: '--archive' },
    });
  });
});
