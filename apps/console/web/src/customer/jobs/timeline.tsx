import { Time } from '../../components/values';
import { elapsedMs, formatDuration, formatUtc } from '../../formatting/time';
import styles from './jobs.module.css';
import type { Step } from './job-timeline';

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
