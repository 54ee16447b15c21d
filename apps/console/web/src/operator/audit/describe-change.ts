import { formatMoney } from '../../formatting/format';

type Fields = Record<string, unknown> | null;

/** The target shows them. */
const OF_TARGET = new Set(['account_id', 'job_id']);
const OF_JOBS = new Set(['view_job', 'view_media', 'cancel_job', 'refund_job']);

interface Entry {
  action: string;
  target: string | null;
  account_id: string | null;
  after: object | null;
}

/** The account and the job of an entry, and the name of anything else; its id where it has none. */
export function targetOf({ action, target, account_id, after }: Entry) {
  const known: { account_id?: string; job_id?: string; name?: string } | null = after;
  const account = account_id ?? known?.account_id ?? null;
  const job = OF_JOBS.has(action) ? target : (known?.job_id ?? null);
  return { account, job, name: target === account || job !== null ? null : (known?.name ?? target) };
}

/** What an action has changed: `status: active → paused`. Amounts are shown in dollars. */
export function describeChange(before: Fields, after: Fields): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => !OF_TARGET.has(name))
    .flatMap((name) => describeField(name, before?.[name], after?.[name]) ?? [])
    .join(', ');
}

function describeField(name: string, from: unknown, to: unknown): string | null {
  const isSame = JSON.stringify(from) === JSON.stringify(to);
  if (isSame && from !== undefined) return null;
  const label = name.replace(/_micros$/, '').replaceAll('_', ' ');
  if (to === undefined) return `${label}: ${textOf(name, from)}`;
  return from === undefined ? `${label}: ${textOf(name, to)}` : `${label}: ${textOf(name, from)} → ${textOf(name, to)}`;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('_micros')) return formatMoney(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
