import type { ReactNode } from 'react';
import type { Job } from '../../api/customer';
import { CodeBlock } from '../../components/code-tabs';
import { Facts, Time } from '../../components/values';
import { elapsedMs, formatDuration, formatUtc } from '../../formatting/format';
import type { Step } from './job-timeline';
import styles from './jobs.module.css';

/** Steps with the time of the first one, and how long after it the others came. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  const start = steps[0]?.at ?? null;
  return (
    <ol className={styles['timeline']}>
      {steps.map((step, index) => (
        <li key={index} className={styles[step.tone]}>
          <strong>{step.name}</strong>
          {index === 0 || step.at === null || start === null ? (
            <Time at={step.at} exact />
          ) : (
            <time dateTime={step.at} title={formatUtc(step.at)}>
              + {formatDuration(Math.max(0, elapsedMs(start, step.at)))}
            </time>
          )}
          {step.detail !== '' && <span>{step.detail}</span>}
        </li>
      ))}
    </ol>
  );
}

const SHOWN_ELSEWHERE = new Set(['prompt', 'model']);

/** `Output format`; `n` says too little by itself. */
const nameOf = (field: string) =>
  field === 'n' ? 'How many' : `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;

/** The parameters with every default filled in. An image is described by its hash and size. */
export function JobInput({ job }: { job: Job }) {
  const facts = Object.entries(job.input)
    .filter(([name]) => !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => [nameOf(name), describe(value)] as const);
  return (
    <>
      <Facts facts={facts} />
      {job.metadata && <CodeBlock label="Metadata" text={JSON.stringify(job.metadata, null, 2)} />}
    </>
  );
}

function describe(value: unknown): ReactNode {
  if (Array.isArray(value)) return value.map((one, index) => <div key={index}>{describe(one)}</div>);
  if (typeof value !== 'object' || value === null) return String(value);
  if ('sha256' in value && 'width' in value && 'height' in value) {
    const { width, height, sha256 } = value as { width: number; height: number; sha256: string };
    return (
      <>
        {width} × {height} px, SHA-256 <code title={sha256}>{sha256.slice(0, 12)}…</code>
      </>
    );
  }
  return Object.entries(value)
    .map(([name, one]) => `${name} ${String(one)}`)
    .join(', ');
}
