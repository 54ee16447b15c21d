import { useQuery } from '@tanstack/react-query';
import { ApiError, get } from '../../api/client';
import { API, type Delivery, isInFlight, type Job, promptOf, type Receipt, useCan } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Card, Columns, Page, Stack } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { Badge, Facts, Id, Money, Time } from '../../components/values';
import { formatDuration } from '../../formatting/time';
import type { PageProps } from '../../routes';
import { DeliveriesOfJob } from '../webhooks/deliveries-of-job';
import { JobActions } from './job-actions';
import { kindOf } from './job-columns';
import { JobInput } from './job-input';
import { JobMedia } from './job-media';
import { ReceiptCard } from './receipt-card';
import { Timeline } from './timeline';
import { jobTimeline } from './job-timeline';
import styles from './jobs.module.css';

const DELIVERIES_SHOWN = 10;
/** Its stream brings each change of a job. Polls are for a page without one, and count in the account's rate limit. */
const POLL_MS = 10_000;

/** One job from its request to its webhook. */
export function JobPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const job = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => get<Job>(`${API}/jobs/${encodeURIComponent(id)}`, signal),
    refetchInterval: ({ state }) => (state.data && isInFlight(state.data) ? POLL_MS : false),
  });
  const isEnded = job.data !== undefined && !isInFlight(job.data);
  const receipt = useQuery({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => get<Receipt>(`${API}/jobs/${encodeURIComponent(id)}/receipt`, signal),
    enabled: isEnded,
    // The settlement of a job follows its end by a moment.
    retry: (count, error) => count < 5 && error instanceof ApiError && error.status === 409,
  });
  if (job.error && !job.data) return <JobProblem error={job.error} retry={() => void job.refetch()} />;
  if (!job.data) {
    return (
      <Page title="Job">
        <Card>
          <Loading />
        </Card>
      </Page>
    );
  }
  return <JobView job={job.data} receipt={receipt.data ?? null} />;
}

function JobProblem({ error, retry }: { error: unknown; retry: () => void }) {
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <Page title="Job">
      {isUnknown ? (
        <Card>
          <Empty title="This account has no job with that id">Check the id, or find the job in the list.</Empty>
        </Card>
      ) : (
        <Failure error={error} retry={retry} />
      )}
    </Page>
  );
}

function JobView({ job, receipt }: { job: Job; receipt: Receipt | null }) {
  const seesWebhooks = useCan('account');
  const filter = { job_id: job.id };
  const deliveries = usePages<Delivery>(`${API}/webhooks/deliveries`, filter, {
    limit: DELIVERIES_SHOWN,
    refetchMs: 5_000,
    enabled: seesWebhooks,
  });
  return (
    <Page title={kindOf(job)} intro={<Id id={job.id} label="job id" full />} actions={<JobActions job={job} />}>
      <Columns>
        <Stack>
          <Card title="Result">
            <JobMedia job={job} />
          </Card>
          <Card title="Input">
            <p className={styles['prompt']}>{promptOf(job)}</p>
            <JobInput job={job} />
          </Card>
        </Stack>
        <Stack>
          <Card title="Timeline">
            <Timeline steps={jobTimeline(job, receipt, deliveries.items)} />
          </Card>
          <Card title="Facts">
            <Facts
              facts={[
                ['Status', <Badge key="status">{job.status}</Badge>],
                ['Model', job.model],
                ['Charged', <Money key="money" micros={job.usage.charged_micros} />],
                ['Compute time', job.usage.gpu_ms === null ? '–' : formatDuration(job.usage.gpu_ms)],
                ['Moderation', <Badge key="moderation">{job.moderation.status}</Badge>],
                ['Files kept until', <Time key="expiry" at={job.expires_at} exact />],
              ]}
            />
          </Card>
          {receipt && <ReceiptCard receipt={receipt} />}
        </Stack>
      </Columns>
      {seesWebhooks && <DeliveriesOfJob pages={deliveries} />}
    </Page>
  );
}
