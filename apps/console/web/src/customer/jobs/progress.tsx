import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { API, type Job, type JobProgress } from '../../api/customer';
import { formatDuration } from '../../formatting/time';
import styles from './progress.module.css';

/** How far a job is, as the server sends it. The ended job replaces the one that the page knows. */
export function Progress({ jobId }: { jobId: string }) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<JobProgress | null>(null);
  useEffect(() => {
    const events = new EventSource(`${API}/jobs/${jobId}/events`);
    const end = ({ data }: MessageEvent<string>) => {
      events.close();
      client.setQueryData(['job', jobId], JSON.parse(data) as Job);
    };
    events.addEventListener('job.progress', ({ data }: MessageEvent<string>) =>
      setProgress(JSON.parse(data) as JobProgress),
    );
    for (const status of ['succeeded', 'failed', 'canceled']) events.addEventListener(`job.${status}`, end);
    return () => events.close();
  }, [client, jobId]);
  const value = progress?.progress ?? null;
  return <ProgressBar value={value} text={describeProgress(progress)} />;
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

export function describeProgress(progress: JobProgress | null): string {
  if (!progress) return 'Waiting for the server…';
  const { status, queue_position: ahead, eta_seconds: eta } = progress;
  const left = eta === null ? '' : `, about ${formatDuration(Math.max(1, eta) * 1000)} left`;
  if (status === 'queued') {
    if (ahead === null) return `In the queue${left}`;
    return `${ahead === 0 ? 'Next in the queue' : `${ahead} before it in the queue`}${left}`;
  }
  if (status !== 'processing') return 'Done';
  return progress.progress === null ? `Running${left}` : `${Math.round(progress.progress * 100)} %${left}`;
}
