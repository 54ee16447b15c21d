import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { API, isInFlight, type Job, type Model } from '../../api/customer';
import { useGet } from '../../api/pages';
import { createJob, type Operation } from '../../api/kinora-client';
import { Card } from '../../components/page';
import { Failure, isBlocked } from '../../components/states';
import { Badge, Money } from '../../components/values';
import { elapsedMs, formatDuration } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { JobMedia } from '../jobs/job-details';
import { ProgressBar } from '../jobs/progress';
import styles from './playground.module.css';

/** One click on one model. */
export interface Run {
  id: number;
  operation: Operation;
  model: Model;
  body: Record<string, unknown>;
  prompt: string;
  /** Holds the price that was shown. */
  quoteId: string | null;
  /** Of the runs of one click. */
  isFirst: boolean;
  first: FirstOutcome;
}

/** A model that answers with its image takes longer than a refusal. */
const REFUSED_WITHIN_MS = 2_000;

/** The other runs of a click wait for the first one: a prompt that is blocked for one model is blocked for all. */
export class FirstOutcome {
  settle!: (error: unknown) => void;
  private readonly accepted = new Promise<void>((resolve, reject) => {
    this.settle = (error) => (isBlocked(error) ? reject(error as Error) : resolve());
  });

  constructor() {
    // The card of the first run shows its error, also where there is no other.
    this.accepted.catch(() => undefined);
  }

  /** @throws the error of the first run if its content was blocked. */
  async whenAccepted(): Promise<void> {
    await Promise.race([this.accepted, new Promise((resolve) => setTimeout(resolve, REFUSED_WITHIN_MS))]);
  }
}

/** The stream of the job brings each change. Polls are for a card without one, and count in the account's rate limit. */
const POLL_MS = 10_000;

export function RunCard({ run }: { run: Run }) {
  const { create, job } = useRun(run);
  return (
    <Card>
      <div className={styles['run']}>
        <div className={styles['runhead']}>
          <strong>{run.model.label}</strong>
          {job && <Badge>{job.status}</Badge>}
        </div>
        <p className={styles['runprompt']}>{run.prompt}</p>
        {create.error ? (
          <Failure error={create.error} retry={() => create.mutate()} />
        ) : job ? (
          <JobMedia job={job} />
        ) : (
          <ProgressBar value={null} text="Sending the request…" />
        )}
        {job && !isInFlight(job) && <RunFoot job={job} />}
      </div>
    </Card>
  );
}

function RunFoot({ job }: { job: Job }) {
  return (
    <div className={styles['runfoot']}>
      <span>
        <Money micros={job.usage.charged_micros} />
        {job.completed_at !== null && ` · ${formatDuration(elapsedMs(job.created_at, job.completed_at))}`}
      </span>
      <Link to={`/jobs/${job.id}`}>Details</Link>
    </div>
  );
}

/** Creates the job once, also where a retry repeats the request. */
function useRun(run: Run) {
  const client = useQueryClient();
  const idempotencyKey = useRef(randomId());
  const isSent = useRef(false);
  const create = useMutation({
    mutationFn: async () => {
      if (!run.isFirst) await run.first.whenAccepted();
      return createJob({ ...run, idempotencyKey: idempotencyKey.current });
    },
    onSuccess: (created) => client.setQueryData(['job', created.id], created),
    onSettled: (_created, error) => {
      if (run.isFirst) run.first.settle(error);
    },
  });
  const { mutate } = create;
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  }, [mutate]);
  const id = create.data?.id ?? '';
  const job = useGet<Job>(['job', id], `${API}/jobs/${id}`, {
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data && isInFlight(state.data) ? POLL_MS : false),
  });
  const status = job.data?.status;
  useEffect(() => {
    if (status === undefined) return;
    // A quote holds the balance after its job, so every run makes the quotes stale.
    for (const key of ['account', 'usage', 'held', 'quote']) void client.invalidateQueries({ queryKey: [key] });
  }, [client, status]);
  return { create, job: job.data ?? create.data ?? null };
}

/** crypto.randomUUID() needs https, and a console in a local network may lack it. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
