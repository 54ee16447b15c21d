import { focusManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { API, type Job, type JobProgress } from '../../api/customer';
import { formatDuration } from '../../formatting/format';
import styles from './progress.module.css';

/** A browser opens six connections to a host over HTTP/1.1, for all its tabs. The others stay free for requests. */
const STREAMS_MAX = 4;
let openStreams = 0;

interface Shown {
  progress: JobProgress;
  /** When the run should have ended by its first estimate; null while the job is queued, or without an estimate. */
  dueAtMs: number | null;
}

function dueAtMs({ status, eta_seconds: eta }: JobProgress, before: Shown | null): number | null {
  if (status !== 'processing') return null;
  return before?.dueAtMs ?? (eta === null ? null : Date.now() + eta * 1000);
}

/**
 * How far a job is, from its stream of events; null without one. A hidden tab has no stream, and a page has a few only. The job of
 * the page is read again when its status changes, and the ended job replaces it.
 */
function useProgress(jobId: string): Shown | null {
  const client = useQueryClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const isVisible = useIsVisible();
  useEffect(() => {
    if (!isVisible || openStreams === STREAMS_MAX) return;
    openStreams += 1;
    const queryKey = ['job', jobId];
    const events = new EventSource(`${API}/jobs/${jobId}/events`);
    events.addEventListener('job.progress', ({ data }: MessageEvent<string>) => {
      const now = JSON.parse(data) as JobProgress;
      setShown((before) => ({ progress: now, dueAtMs: dueAtMs(now, before) }));
      if (client.getQueryData<Job>(queryKey)?.status !== now.status)
        void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    });
    const end = ({ data }: MessageEvent<string>) => {
      events.close();
      client.setQueryData(queryKey, JSON.parse(data) as Job);
    };
    for (const status of ['succeeded', 'failed', 'canceled']) events.addEventListener(`job.${status}`, end);
    return () => {
      openStreams -= 1;
      events.close();
    };
  }, [client, jobId, isVisible]);
  return shown;
}

const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => focusManager.subscribe(listener),
    () => focusManager.isFocused(),
  );

export function Progress({ job }: { job: Job }) {
  const shown = useProgress(job.id);
  const text = shown ? describeProgress(shown) : job.status === 'queued' ? 'In the queue' : 'Running';
  return <ProgressBar value={shown?.progress.progress ?? null} text={text} />;
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

/** An estimate is in whole seconds. */
const OVERDUE_MS = 1_000;

function describeProgress({ progress, dueAtMs: due }: Shown): string {
  const { status, queue_position: ahead, eta_seconds: eta } = progress;
  const isOverdue = due !== null && Date.now() > due + OVERDUE_MS;
  const left = isOverdue
    ? ', longer than estimated'
    : eta === null
      ? ''
      : `, about ${formatDuration(Math.max(1, eta) * 1000)} left`;
  if (status === 'queued') {
    if (ahead === null) return `In the queue${left}`;
    return `${ahead === 0 ? 'Next in the queue' : `${ahead} before it in the queue`}${left}`;
  }
  if (status !== 'processing') return 'Done';
  return progress.progress === null ? `Running${left}` : `${Math.round(progress.progress * 100)} %${left}`;
}
