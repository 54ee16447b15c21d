import { type Decision, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { useSearch } from '../../router/location';
import { AccountLink, JobLink } from '../ids/short-link';

const COLUMNS: readonly Column<Decision>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Verdict', cell: ({ verdict }) => <Badge>{verdict}</Badge> },
  { name: 'Of the', cell: ({ stage }) => stage, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Engine', cell: ({ engine }) => engine ?? <Nothing />, isExtra: true },
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} /> },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} />, isExtra: true },
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
