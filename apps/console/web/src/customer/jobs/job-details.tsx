import type { ReactNode } from 'react';
import { imagesOf, isInFlight, type Job, mediaUrl, promptOf, videoOf } from '../../api/customer';
import { CodeBlock } from '../../components/code-tabs';
import { Empty, Failure } from '../../components/states';
import { Facts, Time } from '../../components/values';
import { elapsedMs, formatBytes, formatDuration, formatUtc } from '../../formatting/format';
import type { Step } from './job-timeline';
import styles from './jobs.module.css';
import { Progress } from './progress';

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

/** The files of a job, or why there are none. */
export function JobMedia({ job }: { job: Job }) {
  if (isInFlight(job)) return <Progress job={job} />;
  if (job.error) return <Failure error={new Error(`${job.error.code}: ${job.error.message}`)} />;
  const [images, video] = [imagesOf(job), videoOf(job)];
  if (job.status === 'canceled') return <Empty title="Canceled">The price went back to the balance.</Empty>;
  if (images.every(({ url }) => url === null) && (video === null || video.url === null)) {
    return <Empty title="The files are deleted">Run the job again to make them anew.</Empty>;
  }
  return (
    <div className={styles['media']}>
      {images.map((image, index) => (
        <figure key={index}>
          <a href={mediaUrl(job.id, index)} target="_blank" rel="noreferrer">
            <img
              src={mediaUrl(job.id, index, images.length > 1 ? 512 : 1024)}
              alt={images.length > 1 ? `${promptOf(job)} (${index + 1} of ${images.length})` : promptOf(job)}
              width={image.width ?? undefined}
              height={image.height ?? undefined}
            />
          </a>
          <figcaption>
            <span>
              {image.width} × {image.height}, {formatBytes(image.bytes)}
            </span>
            <a href={mediaUrl(job.id, index)} download={`${job.id}-${index}`}>
              Save
            </a>
          </figcaption>
        </figure>
      ))}
      {video && (
        <figure>
          <video src={mediaUrl(job.id, 0)} controls loop muted playsInline aria-label={promptOf(job) || 'The video'} />
          <figcaption>
            <span>
              {video.duration} s, {formatBytes(video.bytes)}
            </span>
            <a href={mediaUrl(job.id, 0)} download={job.id}>
              Save
            </a>
          </figcaption>
        </figure>
      )}
    </div>
  );
}
