import type { ReactNode } from 'react';
import type { Job } from '../../api/customer';
import { CodeBlock } from '../../components/code-tabs';
import { Facts } from '../../components/values';

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
