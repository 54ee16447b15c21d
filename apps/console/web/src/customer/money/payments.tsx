import type { Payment } from '../../api/console-lists';
import { API } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Money, Time } from '../../components/values';

const COLUMNS: readonly Column<Payment>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Status', cell: ({ state }) => <Badge>{state}</Badge> },
  { name: 'Reason', cell: ({ failure }) => failure ?? '', isExtra: true },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true },
];

export function Payments() {
  const pages = usePages<Payment>(`${API}/payments`, {}, { limit: 10 });
  return (
    <Card title="Payments" isFlush>
      <PagedTable
        caption="Payments"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ payment_id }) => payment_id}
        empty={<Empty title="No payment yet">Payments and recharges of a card are listed here.</Empty>}
      />
    </Card>
  );
}
