import { useState } from 'react';
import type { Payment } from '../../api/console-lists';
import { OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Money, Time } from '../../components/values';
import { ActionDialog } from '../actions/action-dialog';
import { useMay } from '../session/permitted';

const COLUMNS: readonly Column<Payment>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Status', cell: ({ state }) => <Badge>{state}</Badge> },
  { name: 'Reason', cell: ({ failure }) => failure ?? '', isExtra: true },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true },
];

/** The recharges of an account. One that has not ended bars every later one, so an operator can end it. */
export function AccountPayments({ accountId }: { accountId: string }) {
  const [ending, setEnding] = useState<Payment | null>(null);
  const mayEnd = useMay('change_money');
  const path = `${OPERATOR}/accounts/${accountId}/payments`;
  const pages = usePages<Payment>(path, {}, { limit: 10 });
  const end: Column<Payment> = {
    name: 'End',
    cell: (payment) => isOpen(payment) && <Button onClick={() => setEnding(payment)}>End</Button>,
  };
  return (
    <Card title="Payments" isFlush>
      <PagedTable
        caption="Payments of the account"
        columns={mayEnd ? [...COLUMNS, end] : COLUMNS}
        pages={pages}
        keyOf={({ payment_id }) => payment_id}
        empty={<Empty title="No payment yet" />}
      />
      {ending && (
        <ActionDialog
          title="End this payment"
          action="End it as failed"
          path={`${path}/${ending.payment_id}/end`}
          body={() => ({})}
          done="The payment is ended."
          isDangerous
          onClose={() => setEnding(null)}
        >
          <p>
            Look the charge up at the payment provider first. If the card was charged, add the money afterwards as a
            payment.
          </p>
        </ActionDialog>
      )}
    </Card>
  );
}

function isOpen({ state }: Payment): boolean {
  return state === 'begun' || state === 'unknown';
}
