import { type JobSummary, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { type Column } from '../../components/table';
import { Badge, Breakable, Money, Nothing, Time } from '../../components/values';
import { AccountLink, JobLink } from '../ids/short-link';

const COLUMNS: readonly Column<JobSummary>[] = [
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} /> },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  {
    name: 'Error',
    cell: ({ error_code }) =>
      error_code === null ? (
        <Nothing />
      ) : (
        <code>
          <Breakable text={error_code} />
        </code>
      ),
    isExtra: true,
  },
  { name: 'Model', cell: ({ model }) => model, isExtra: true },
  { name: 'Provider', cell: ({ provider }) => provider ?? <Nothing />, isExtra: true },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} />, isExtra: true },
  { name: 'Charged', cell: ({ charged_micros }) => <Money micros={charged_micros} />, isNumber: true, isExtra: true },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true },
];

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'];

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', options: anyOf(STATUSES) },
  { name: 'search', label: 'Job id, or its beginning' },
  { name: 'account_id', label: 'Account id' },
  { name: 'model', label: 'Model' },
  { name: 'provider', label: 'Provider' },
  { name: 'error_code', label: 'Error code' },
];

export function OperatorJobsPage() {
  const filter = useFilterValues(...FILTERS.map(({ name }) => name));
  const pages = usePages<JobSummary>(`${OPERATOR}/jobs`, filter, { refetchMs: 10_000 });
  return (
    <Page title="Jobs" intro="Of all accounts, newest first.">
      <ListCard
        caption="Jobs of all accounts"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ job_id }) => job_id}
        filters={FILTERS}
        empty={['No job yet']}
      />
    </Page>
  );
}
