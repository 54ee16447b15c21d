import { type JobSummary, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Breakable, Money, Nothing, Time } from '../../components/values';
import { useSearch } from '../../router/navigation';
import { AccountLink, JobLink } from '../ids/short-link';

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;

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

const FIELDS = [
  ['search', 'Job id, or its beginning'],
  ['account_id', 'Account id'],
  ['model', 'Model'],
  ['provider', 'Provider'],
  ['error_code', 'Error code'],
] as const;

export function OperatorJobsPage() {
  const [search, setSearch] = useSearch();
  const of = (name: string) => search.get(name) ?? '';
  const filter = Object.fromEntries(['status', ...FIELDS.map(([name]) => name)].map((name) => [name, of(name)]));
  const pages = usePages<JobSummary>(`${OPERATOR}/jobs`, filter, { refetchMs: 10_000 });
  return (
    <Page title="Jobs" intro="Of all accounts, newest first.">
      <Card isFlush>
        <Filters>
          <Select
            label="Status"
            value={of('status')}
            options={[['', 'Any'], ...STATUSES.map((one) => [one, one] as const)]}
            onChange={(status) => setSearch({ status })}
          />
          {FIELDS.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={of(name)}
              onChange={(value) => setSearch({ [name]: value.trim() })}
            />
          ))}
        </Filters>
        <PagedTable
          caption="Jobs of all accounts"
          columns={COLUMNS}
          pages={pages}
          keyOf={({ job_id }) => job_id}
          empty={<Empty title="No job matches">Change the filters.</Empty>}
        />
      </Card>
    </Page>
  );
}
