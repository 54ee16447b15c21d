import { useState } from 'react';
import { imagesOf, isInFlight, type Job, promptOf } from '../../api/customer';
import { useGet } from '../../api/pages';
import { type Attempt, type JobPrice, OPERATOR } from '../../api/operator';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { Card, Columns, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge, Facts, Id, Money, Nothing, Time } from '../../components/values';
import { formatMoney } from '../../formatting/format';
import { JobInput, Timeline } from '../../customer/jobs/job-details';
import { jobTimeline } from '../../customer/jobs/job-timeline';
import type { PageProps } from '../../routes';
import { ActionDialog } from '../actions/action-dialog';
import { AccountLink } from '../ids/short-link';
import { Permitted, useMay } from '../session/permitted';

interface JobHistory {
  account_id: string;
  job: Job;
  attempts: Attempt[];
  price?: JobPrice;
}

const COLUMNS: readonly Column<Attempt>[] = [
  { name: 'Attempt', cell: ({ number }) => number },
  { name: 'Provider', cell: ({ provider }) => provider },
  { name: 'State', cell: ({ state, outcome }) => <Badge>{outcome ?? state}</Badge> },
  { name: 'Problem', cell: ({ problem, reason }) => reason ?? problem ?? <Nothing /> },
  { name: 'Began', cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
  { name: 'Ended', cell: ({ ended_at }) => <Time at={ended_at} />, isExtra: true },
];

export function OperatorJobPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const history = useGet<JobHistory>(['operator-job', id], `${OPERATOR}/jobs/${encodeURIComponent(id)}`, {
    refetchInterval: ({ state }) => (state.data && isInFlight(state.data.job) ? 2_000 : false),
  });
  return (
    <Page
      title="Job"
      intro={<Id id={id} label="job id" full />}
      actions={history.data && <JobAction job={history.data.job} />}
    >
      <Loaded query={history}>{(data) => <HistoryView history={data} />}</Loaded>
    </Page>
  );
}

/** In flight it is canceled, which refunds it; a success can only be refunded. */
function JobAction({ job }: { job: Job }) {
  const isCancel = isInFlight(job);
  const isPermitted = useMay(isCancel ? 'cancel_jobs' : 'refund_jobs');
  if (!isPermitted) return null;
  if (!isCancel && (job.status !== 'succeeded' || job.usage.charged_micros === 0)) return null;
  const open = () =>
    openDialog(ActionDialog, {
      title: isCancel ? 'Cancel this job' : 'Refund this job',
      action: isCancel ? 'Cancel the job' : 'Refund it',
      path: `${OPERATOR}/jobs/${job.id}/${isCancel ? 'cancel' : 'refund'}`,
      done: isCancel ? 'The job is canceled, and its price is back.' : 'The price is back in the balance.',
      isDangerous: true,
      children: (
        <p>
          The account gets <Money micros={job.usage.charged_micros} /> back.
        </p>
      ),
    });
  return (
    <Button kind="danger" onClick={open}>
      {isCancel ? 'Cancel' : 'Refund'}
    </Button>
  );
}

function HistoryView({ history }: { history: JobHistory }) {
  const { job, attempts, account_id, price } = history;
  return (
    <>
      <Columns>
        <Card title="Details">
          <Facts
            facts={[
              ['Status', <Badge key="status">{job.status}</Badge>],
              ['Account', <AccountLink key="account" id={account_id} />],
              ['Model', job.model],
              ['Charged', <Money key="money" micros={job.usage.charged_micros} />],
              ['Price', price ? describePrice(price) : '–'],
              ['Moderation', <Badge key="moderation">{job.moderation.status}</Badge>],
              ['Error', job.error ? `${job.error.code}: ${job.error.message}` : '–'],
            ]}
          />
        </Card>
        <Card title="Timeline">
          <Timeline steps={jobTimeline(job, null)} />
        </Card>
      </Columns>
      <Card title="Attempts" isFlush>
        <Table
          empty="No attempt yet"
          caption="Attempts"
          columns={COLUMNS}
          items={attempts}
          keyOf={({ number }) => String(number)}
        />
      </Card>
      {job.status === 'succeeded' && (
        <Permitted to="view_media">
          <BlurredMedia jobId={job.id} count={imagesOf(job).length} />
        </Permitted>
      )}
      <Card title="Input">
        <p>{promptOf(job)}</p>
        <JobInput job={job} />
      </Card>
    </>
  );
}

/** `2 × $0.015 per image, by price changes 3 and 7`: the Models page lists them. */
function describePrice({ quantity, unit_micros: unit, per, source, price_changes: changes = [] }: JobPrice): string {
  const by = changes.length === 0 ? `by the ${source ?? 'catalog'}` : `by price change ${changes.join(' and ')}`;
  return unit === null ? by : `${quantity} × ${formatMoney(unit)} per ${per}, ${by}`;
}

/** Outputs are blurred, and asked for one at a time: each view stands in the audit trail. */
function BlurredMedia({ jobId, count }: { jobId: string; count: number }) {
  const [shown, setShown] = useState(0);
  if (count === 0) return <Card title="Outputs" intro="Videos are not shown, and deleted outputs do not exist." />;
  return (
    <Card title="Outputs" intro="Blurred. Each view stands in the audit trail.">
      {Array.from({ length: shown }, (_, index) => (
        <img
          key={index}
          src={`${OPERATOR}/jobs/${jobId}/media/${index}`}
          alt={`Blurred output ${index + 1}`}
          width={256}
        />
      ))}
      {shown < count && (
        <p>
          <Button onClick={() => setShown(shown + 1)}>{shown === 0 ? 'Show the first' : 'Show the next'}</Button>
        </p>
      )}
    </Card>
  );
}
