import { type AuditEntry, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Breakable, Id, Nothing, Time } from '../../components/values';
import { useSearch } from '../../router/navigation';
import { describeChange } from './describe-change';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Action', cell: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'By', cell: ({ actor }) => <Breakable text={actor} /> },
  { name: 'Time', cell: ({ at }) => <Time at={at} exact /> },
  { name: 'Of', cell: ({ target }) => (target === null ? <Nothing /> : <Target id={target} />), isExtra: true },
  { name: 'Change', cell: ({ before, after }) => describeChange(before, after) || <Nothing />, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Outcome', cell: ({ outcome }) => <Badge tone={outcome === 'done' ? 'good' : 'warn'}>{outcome}</Badge> },
];

const Target = ({ id }: { id: string }) => (UUID.test(id) ? <Id id={id} label="id" /> : id);

export function AuditPage() {
  const [search, setSearch] = useSearch();
  const account = search.get('account_id') ?? '';
  const pages = usePages<AuditEntry>(`${OPERATOR}/audit`, { account_id: UUID.test(account) ? account : null });
  return (
    <Page title="Audit" intro="What operators have done and seen, newest first. Entries are only added.">
      <Card isFlush>
        <Filters>
          <TextField label="Account id" value={account} onChange={(value) => setSearch({ account_id: value.trim() })} />
        </Filters>
        <PagedTable
          caption="Audit trail"
          columns={COLUMNS}
          pages={pages}
          keyOf={({ id }) => id}
          empty={<Empty title="No entry matches">Change the filters.</Empty>}
        />
      </Card>
    </Page>
  );
}
