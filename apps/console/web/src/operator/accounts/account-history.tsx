import { OPERATOR, type OperatorAction } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Time } from '../../components/values';

const COLUMNS: readonly Column<OperatorAction>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Action', cell: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'By', cell: ({ actor }) => actor ?? 'the account' },
  { name: 'Reason', cell: ({ reason }) => reason ?? '', isExtra: true },
];

/** What operators, and keys of the account itself, have changed. */
export function AccountHistory({ accountId }: { accountId: string }) {
  const pages = usePages<OperatorAction>(`${OPERATOR}/accounts/${accountId}/history`, {}, { limit: 10 });
  return (
    <Card title="History" isFlush>
      <PagedTable
        caption="Changes of the account"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ action, created_at }) => `${action} ${created_at}`}
        empty={<Empty title="No change yet" />}
      />
    </Card>
  );
}
