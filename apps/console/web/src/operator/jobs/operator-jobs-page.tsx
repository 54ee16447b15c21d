import { type ComputeState, type JobSummary, OPERATOR, type OperatorModel } from '../../api/operator';
import { useGet, usePages } from '../../api/pages';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { type Column, money } from '../../components/table';
import { Badge, Breakable, Nothing, Time } from '../../components/values';
import { ACCOUNT_FILTER, pickedAccount } from '../ids/account-picker';
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
  money('Charged', ({ charged_micros }) => charged_micros, { isExtra: true }),
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true },
];

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'];

const ERROR_CODES = [
  ...['provider_error', 'provider_timeout', 'capacity', 'invalid_output', 'storage_error'],
  ...['content_blocked_output', 'content_blocked_input'],
];

/** What can be picked is read from the catalog and from the instances. */
function useFilters(): readonly Filter[] {
  const models = useGet<{ data: OperatorModel[] }>(['operator-models'], `${OPERATOR}/models`).data?.data ?? [];
  const instances = useGet<ComputeState>(['compute'], `${OPERATOR}/compute`).data?.instances ?? [];
  return [
    { name: 'status', label: 'Status', options: anyOf(STATUSES) },
    { name: 'search', label: 'Job id, or its beginning' },
    ACCOUNT_FILTER,
    { name: 'model', label: 'Model', options: anyOf(models.map(({ model }) => model.id)) },
    { name: 'provider', label: 'Provider', options: anyOf(instances.map(({ id }) => id)) },
    { name: 'error_code', label: 'Error code', options: anyOf(ERROR_CODES) },
  ];
}

export function OperatorJobsPage() {
  const filters = useFilters();
  const { account_id: account = '', ...values } = useFilterValues(...filters.map(({ name }) => name));
  const filter = { ...values, account_id: pickedAccount(account) };
  const pages = usePages<JobSummary>(`${OPERATOR}/jobs`, filter, { refetchMs: 10_000 });
  return (
    <Page title="Jobs" intro="Of all accounts, newest first.">
      <ListCard
        caption="Jobs of all accounts"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ job_id }) => job_id}
        filters={filters}
        empty={['No job yet']}
      />
    </Page>
  );
}
