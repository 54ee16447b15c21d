import { Fragment, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { formatMoney, formatRelative, formatUtc } from '../formatting/format';
import { Icon } from './icon';
import { notifyError } from './toasts';
import styles from './values.module.css';

/** In a column of numbers, amounts align at their decimal points. */
export function Money({ micros, sign = false }: { micros: number; sign?: boolean }) {
  const text = formatMoney(micros, { sign });
  const decimals = text.length - text.indexOf('.') - 1;
  return (
    <span className={styles['money']} data-pad={'0'.repeat(6 - decimals)}>
      {text}
    </span>
  );
}

const CLOCK_MS = 10_000;

/** One timer for all times of a page. */
const clock = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as number | undefined,
};

function subscribeToClock(listener: () => void): () => void {
  clock.listeners.add(listener);
  if (clock.timer === undefined) {
    // It stood still while no time was shown.
    clock.now = Date.now();
    clock.timer = window.setInterval(() => {
      clock.now = Date.now();
      for (const each of clock.listeners) each();
    }, CLOCK_MS);
  }
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    window.clearInterval(clock.timer);
    clock.timer = undefined;
  };
}

const useNow = () => useSyncExternalStore(subscribeToClock, () => clock.now);

/** How long ago, with the exact time in UTC on hover; `exact` shows that one at once. */
export function Time({ at, exact = false }: { at: string | null; exact?: boolean }) {
  const now = useNow();
  if (at === null) return <Nothing />;
  const atMs = new Date(at).getTime();
  // What happened since the last tick is not in the future.
  const shownAt = atMs > now && atMs <= Date.now() ? atMs : now;
  return (
    <time
      dateTime={at}
      title={formatUtc(at)}
      className={exact ? `${styles['time']} ${styles['exact']}` : styles['time']}
    >
      {exact ? formatUtc(at) : formatRelative(at, shownAt)}
    </time>
  );
}

/** A word such as `content_blocked_output` or an e-mail address, which may be broken where a reader expects it. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[_@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

export const Nothing = () => <span className={styles['nothing']}>–</span>;

/** Of the statuses that the pages show; any other one is calm. */
const TONES: Record<string, 'good' | 'warn' | 'bad' | 'calm' | 'accent'> = {
  succeeded: 'good',
  delivered: 'good',
  active: 'good',
  passed: 'good',
  pending: 'warn',
  paused: 'warn',
  failed: 'bad',
  exhausted: 'bad',
  suspended: 'bad',
  blocked: 'bad',
  processing: 'accent',
};

export function Badge({ children, tone }: { children: string; tone?: 'good' | 'warn' | 'bad' | 'calm' | 'accent' }) {
  return <span className={`${styles['badge']} ${styles[tone ?? TONES[children] ?? 'calm']}`}>{children}</span>;
}

const SHOWN_MS = 1500;

/** The button says itself that it has copied. Without https a browser may give pages no clipboard. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return null;
  const copy = () => void clipboard.writeText(text).then(() => setCopied(true), notifyError);
  const name = isCopied ? 'Copied' : `Copy ${label}`;
  return (
    <button type="button" className={styles['copy']} aria-label={name} title={name} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} size={15} />
    </button>
  );
}

/** An id: short enough for a table, copied in full. */
export function Id({ id, label = 'id', full = false }: { id: string; label?: string; full?: boolean }) {
  return (
    <span className={styles['id']}>
      <code title={id}>{full || id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-6)}`}</code>
      <Copy text={id} label={label} />
    </span>
  );
}

/** What a row of a table is about, over a note in smaller letters. */
export function TwoLines({ children, small }: { children: ReactNode; small: ReactNode }) {
  return (
    <span className={styles['twolines']}>
      <span>{children}</span>
      <small>{small}</small>
    </span>
  );
}

/** Pairs of a name and a value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
