import { useState } from 'react';
import { OPERATOR, type Payment } from '../../api/operator';
import { usePages } from '../../api/pages';
import { AmountField, microsOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { Row } from '../../components/page';
import { type Column, money } from '../../components/table';
import { Badge, Money, Time } from '../../components/values';
import { dollarsOf, formatMoney } from '../../formatting/format';
import { ActionDialog } from '../actions/action-dialog';
import { useMay } from '../session/permitted';

const COLUMNS: readonly Column<Payment>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Status', cell: ({ state, dispute }) => <Badge>{dispute ? `dispute ${dispute}` : state}</Badge> },
  { name: 'Reason', cell: ({ failure }) => failure ?? '', isExtra: true },
  {
    name: 'Given back',
    cell: ({ refunded_micros: micros }) => (micros ? <Money micros={micros} /> : ''),
    isNumber: true,
    isExtra: true,
  },
  money('Amount', ({ amount_micros }) => amount_micros),
];

/** The payments of an account. A recharge that has not ended bars every later one, so an operator can end it. */
export function AccountPayments({ accountId }: { accountId: string }) {
  const mayChange = useMay('change_money');
  const path = `${OPERATOR}/accounts/${accountId}/payments`;
  const pages = usePages<Payment>(path, {}, { limit: 10 });
  const actions: Column<Payment> = {
    name: 'Action',
    cell: (payment) => (
      <Row>
        {isOpenRecharge(payment) && <Button onClick={() => end(path, payment)}>End</Button>}
        {leftOf(payment) > 0 && <Button onClick={() => openDialog(RefundDialog, { path, payment })}>Refund</Button>}
      </Row>
    ),
  };
  return (
    <ListCard
      title="Payments"
      caption="Payments of the account"
      columns={mayChange ? [...COLUMNS, actions] : COLUMNS}
      pages={pages}
      keyOf={({ payment_id }) => payment_id}
      empty={['No payment yet']}
    />
  );
}

const end = (path: string, { payment_id }: Payment) =>
  openDialog(ActionDialog, {
    title: 'End this payment',
    action: 'End it as failed',
    path: `${path}/${payment_id}/end`,
    done: 'The payment is ended.',
    isDangerous: true,
    children: (
      <p>
        Look the charge up at the payment provider first. If the card was charged, add the money afterwards as a
        payment.
      </p>
    ),
  });

function isOpenRecharge({ kind, state }: Payment): boolean {
  return kind !== 'checkout' && (state === 'begun' || state === 'unknown');
}

function leftOf({ state, dispute, amount_micros, refunded_micros = 0 }: Payment): number {
  return state === 'succeeded' && (!dispute || dispute === 'won') ? amount_micros - refunded_micros : 0;
}

function RefundDialog({ path, payment, onClose }: { path: string; payment: Payment; onClose: () => void }) {
  const left = leftOf(payment);
  const [amount, setAmount] = useState(dollarsOf(left));
  // A repeat of the request with the same id refunds nothing.
  const [refundId] = useState(() => crypto.randomUUID());
  return (
    <ActionDialog
      title="Refund this payment"
      action="Give it back"
      path={`${path}/${payment.payment_id}/refund`}
      body={() => ({ amount_micros: microsOf(amount), refund_id: refundId })}
      done="The money is on its way back to the card."
      isDangerous
      onClose={onClose}
    >
      <AmountField hint={`At most ${formatMoney(left)}, and what is unspent.`} value={amount} onChange={setAmount} />
    </ActionDialog>
  );
}
