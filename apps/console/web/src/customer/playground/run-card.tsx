import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isInFlight, type Job, promptOf, useModels } from '../../api/customer';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Failure } from '../../components/states';
import { Badge, Money } from '../../components/values';
import { elapsedMs, formatDuration } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { JobMedia } from '../jobs/job-media';
import { useCancel, useJob } from '../jobs/job-query';
import { ProgressBar } from '../jobs/progress';
import styles from './playground.module.css';
import type { Run, RunPart } from './runs';

/** What comes of one click: a part for each model. */
export function RunCard({ run }: { run: Run }) {
  const first = useJob(run.parts[0]?.jobId ?? null);
  const prompt = run.prompt || (first.data ? promptOf(first.data) : '');
  return (
    <Card>
      <div className={styles['run']}>
        {prompt !== '' && <p className={styles['runprompt']}>{prompt}</p>}
        <div className={styles['parts']}>
          {run.parts.map((part) => (
            <Part key={part.id} part={part} before={run.before} />
          ))}
        </div>
      </div>
    </Card>
  );
}

function Part({ part, before }: { part: RunPart; before: string | null }) {
  const client = useQueryClient();
  const models = useModels();
  const query = useJob(part.jobId);
  const job = query.data;
  const status = job?.status;
  useEffect(() => {
    if (status === undefined) return;
    // A quote holds the balance after its job, so every run makes the quotes stale.
    for (const key of ['account', 'usage', 'held', 'quote']) void client.invalidateQueries({ queryKey: [key] });
  }, [client, status]);
  const error = part.error ?? (job ? null : query.error);
  return (
    <div className={styles['part']}>
      <div className={styles['parthead']}>
        <strong>{models.data?.find(({ id }) => id === part.model)?.label ?? part.model}</strong>
        {status && <Badge>{status}</Badge>}
      </div>
      {error ? (
        <Failure error={error} retry={() => void (part.error ? part.send() : query.refetch())} />
      ) : job ? (
        <JobMedia job={job} before={before} />
      ) : (
        <ProgressBar value={null} text={part.jobId === null ? 'Sending the request…' : 'Reading the job…'} />
      )}
      {job && <PartFoot job={job} />}
    </div>
  );
}

function PartFoot({ job }: { job: Job }) {
  const cancel = useCancel(job);
  return (
    <div className={styles['partfoot']}>
      <span>
        {isInFlight(job) && 'Reserved '}
        <Money micros={job.usage.charged_micros} />
        {job.completed_at !== null && ` · ${formatDuration(elapsedMs(job.created_at, job.completed_at))}`}
      </span>
      {isInFlight(job) && (
        <Button kind="quiet" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      <Link to={`/jobs/${job.id}`}>Details</Link>
    </div>
  );
}
