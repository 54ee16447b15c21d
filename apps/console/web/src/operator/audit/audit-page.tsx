import { type AuditEntry, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Nothing, Time } from '../../components/values';
import { useSearch } from '../../router/location';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Time', cell: ({ at }) => <Time at={at} exact /> },
  { name: 'By', cell: ({ actor }) => actor },
  { name: 'Action', cell: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'Of', cell: ({ target }) => target ?? <Nothing />, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
];

export function AuditPage() {
  const [search, setSearch] = useSearch();
  const [actor, action] = [search.get('actor') ?? '', search.get('action') ?? ''];
  const pages = usePages<AuditEntry>(`${OPERATOR}/audit`, { actor, action });
  return (
    <Page title="Audit" intro="What operators have done and seen, newest first. Entries are only added.">
      <Card isFlush>
        <Filters>
          <TextField label="By" value={actor} onChange={(value) => setSearch({ actor: value.trim() })} />
          <TextField label="Action" value={action} onChange={(value) => setSearch({ action: value.trim() })} />
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
