import { type AuditEntry, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { type Column } from '../../components/table';
import { Badge, Breakable, Id, Nothing, Time } from '../../components/values';
import { ACCOUNT_FILTER, pickedAccount } from '../ids/account-picker';
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

const FILTERS = [ACCOUNT_FILTER];

export function AuditPage() {
  const { account_id: account } = useFilterValues('account_id');
  const pages = usePages<AuditEntry>(`${OPERATOR}/audit`, { account_id: pickedAccount(account) });
  return (
    <Page title="Audit" intro="What operators have done and seen, newest first. Entries are only added.">
      <ListCard
        caption="Audit trail"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ id }) => id}
        filters={FILTERS}
        empty={['No entry yet']}
      />
    </Page>
  );
}
