import type { Job, JobProgress } from '../../api/customer';
import { formatDuration } from '../../formatting/time';
import styles from './progress.module.css';
import { useProgress } from './use-progress';

export function Progress({ job }: { job: Job }) {
  const progress = useProgress(job.id);
  const text = progress ? describeProgress(progress) : job.status === 'queued' ? 'In the queue' : 'Running';
  return <ProgressBar value={progress?.progress ?? null} text={text} />;
}

/** @param value from 0 to 1, or null where it is not known */
export function ProgressBar({ value, text }: { value: number | null; text: string }) {
  return (
    <div className={styles['progress']}>
      <progress aria-label="Progress" max={1} {...(value !== null && { value })} />
      <p aria-live="polite">{text}</p>
    </div>
  );
}

function describeProgress(progress: JobProgress): string {
  const { status, queue_position: ahead, eta_seconds: eta } = progress;
  const left = eta === null ? '' : `, about ${formatDuration(Math.max(1, eta) * 1000)} left`;
  if (status === 'queued') {
    if (ahead === null) return `In the queue${left}`;
    return `${ahead === 0 ? 'Next in the queue' : `${ahead} before it in the queue`}${left}`;
  }
  if (status !== 'processing') return 'Done';
  return progress.progress === null ? `Running${left}` : `${Math.round(progress.progress * 100)} %${left}`;
}
