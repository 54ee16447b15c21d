import { type Decision, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { Link } from '../../router/link';
import { useSearch } from '../../router/location';

const short = (id: string) => `${id.slice(0, 8)}…${id.slice(-6)}`;

const COLUMNS: readonly Column<Decision>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Verdict', cell: ({ verdict }) => <Badge>{verdict}</Badge> },
  { name: 'Of the', cell: ({ stage }) => stage },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Engine', cell: ({ engine }) => engine ?? <Nothing />, isExtra: true },
  { name: 'Job', cell: ({ job_id }) => <Link to={`/operator/jobs/${job_id}`}>{short(job_id)}</Link>, isExtra: true },
  {
    name: 'Account',
    cell: ({ account_id }) => <Link to={`/operator/accounts/${account_id}`}>{short(account_id)}</Link>,
    isExtra: true,
  },
];

export function Decisions() {
  const [search, setSearch] = useSearch();
  const of = (name: string) => search.get(name) ?? '';
  const filter = { verdict: of('verdict'), account_id: of('account_id'), job_id: of('job_id') };
  const pages = usePages<Decision>(`${OPERATOR}/moderation/decisions`, filter);
  return (
    <Card isFlush>
      <Filters>
        <Select
          label="Verdict"
          value={filter.verdict}
          options={[
            ['', 'Any'],
            ['blocked', 'blocked'],
            ['passed', 'passed'],
          ]}
          onChange={(verdict) => setSearch({ verdict })}
        />
        <TextField
          label="Account id"
          value={filter.account_id}
          onChange={(value) => setSearch({ account_id: value.trim() })}
        />
        <TextField label="Job id" value={filter.job_id} onChange={(value) => setSearch({ job_id: value.trim() })} />
      </Filters>
      <PagedTable
        caption="Decisions"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ decision_id }) => decision_id}
        empty={<Empty title="No decision matches">Change the filters.</Empty>}
      />
    </Card>
  );
}
