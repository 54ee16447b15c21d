import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { API, type StatementEntry, useAccount, type AutoRecharge, type Payment } from '../../api/customer';
import { useGet, usePages } from '../../api/pages';
import { Button, DownloadLink } from '../../components/button';
import { FormDialog } from '../../components/dialog';
import { Check, TextField, useForm } from '../../components/fields';
import { ListCard } from '../../components/list-card';
import { Figure, Figures, Page } from '../../components/page';
import { type Column } from '../../components/table';
import { notify } from '../../components/toasts';
import { Badge, Money, Nothing, Time, TwoLines } from '../../components/values';
import { formatDay, formatMoney, parseDollars } from '../../formatting/format';
import { Link } from '../../router/navigation';

const PATH = `${API}/auto-recharge`;

/** Whether the card is charged by itself, with the button that changes it where a card is known. */
function AutoRechargeFigure() {
  const [isOpen, setOpen] = useState(false);
  const recharge = useGet<{ auto_recharge: AutoRecharge | null }>(['auto-recharge'], PATH);
  const set = recharge.data?.auto_recharge ?? null;
  return (
    <>
      <Figure name="Auto-recharge" note={noteOf(set)}>
        {set?.enabled ? 'On' : 'Off'}
        {set && (
          <Button kind="quiet" onClick={() => setOpen(true)}>
            Change
          </Button>
        )}
      </Figure>
      {isOpen && set && <AutoRechargeDialog recharge={set} onClose={() => setOpen(false)} />}
    </>
  );
}

function noteOf(recharge: AutoRecharge | null): string {
  if (recharge === null) return 'The operator of this service adds a card';
  if (recharge.stopped_reason !== null) return `Stopped: ${recharge.stopped_reason}`;
  return `${formatMoney(recharge.amount_micros)} when less than ${formatMoney(recharge.threshold_micros)} is left`;
}

const dollars = (micros: number | null) => (micros === null ? '' : formatMoney(micros).replace('$', ''));

function AutoRechargeDialog({ recharge, onClose }: { recharge: AutoRecharge; onClose: () => void }) {
  const client = useQueryClient();
  const [enabled, setEnabled] = useState(recharge.enabled);
  const { form, field } = useForm({
    threshold_micros: dollars(recharge.threshold_micros),
    amount_micros: dollars(recharge.amount_micros),
    monthly_cap_micros: dollars(recharge.monthly_cap_micros),
  });
  const change = useMutation({
    mutationFn: async () =>
      post(PATH, {
        enabled,
        threshold_micros: microsOf('threshold_micros', form.threshold_micros),
        amount_micros: microsOf('amount_micros', form.amount_micros),
        monthly_cap_micros:
          form.monthly_cap_micros.trim() === '' ? null : microsOf('monthly_cap_micros', form.monthly_cap_micros),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['auto-recharge'] });
      notify('The auto-recharge is changed.');
      onClose();
    },
  });
  return (
    <FormDialog title="Auto-recharge" action="Save" mutation={change} params={Object.keys(form)} onClose={onClose}>
      <Check label="Charge the card when the balance is low" checked={enabled} onChange={setEnabled} />
      <TextField label="When less than, in dollars" {...field('threshold_micros')} />
      <TextField label="Charge, in dollars" {...field('amount_micros')} />
      <TextField label="At most a month, in dollars" {...field('monthly_cap_micros')} />
    </FormDialog>
  );
}

function microsOf(param: string, text: string): number {
  const micros = parseDollars(text);
  if (micros === null) throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', param);
  return micros;
}

const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Status', cell: ({ state }) => <Badge>{state}</Badge> },
  { name: 'Reason', cell: ({ failure }) => failure ?? '', isExtra: true },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true },
];

export function Payments() {
  const pages = usePages<Payment>(`${API}/payments`, {}, { limit: 10 });
  return (
    <ListCard
      title="Payments"
      caption="Payments"
      columns={PAYMENT_COLUMNS}
      pages={pages}
      keyOf={({ payment_id }) => payment_id}
      empty={['No payment yet', 'Payments and recharges of a card are listed here.']}
    />
  );
}

const KINDS: Record<StatementEntry['kind'], string> = {
  reserve: 'Reserved for a job',
  capture: 'Charged',
  refund: 'Refunded',
  top_up: 'Payment',
  credit: 'Credit',
  adjustment: 'Adjustment',
};

const STATEMENT_COLUMNS: readonly Column<StatementEntry>[] = [
  {
    name: 'Entry',
    cell: ({ kind, created_at }) => <TwoLines small={<Time at={created_at} />}>{KINDS[kind]}</TwoLines>,
  },
  {
    name: 'Job',
    cell: ({ job_id: id }) =>
      id === null ? <Nothing /> : <Link to={`/jobs/${id}`}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</Link>,
    isExtra: true,
  },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true, isExtra: true },
  {
    name: 'Change',
    cell: ({ balance_delta_micros: delta }) => (delta === 0 ? <Nothing /> : <Money micros={delta} sign />),
    isNumber: true,
  },
  {
    name: 'Balance after',
    cell: ({ balance_after_micros }) => <Money micros={balance_after_micros} />,
    isNumber: true,
  },
];

export function MoneyPage() {
  const account = useAccount();
  const statement = usePages<StatementEntry>(`${API}/account/statement`, {}, { refetchMs: 15_000 });
  return (
    <Page
      title="Money"
      intro="A job reserves its price. A success charges it, and everything else gives it back."
      actions={
        <DownloadLink href={`${API}/statement.csv`} name="statement.csv">
          CSV
        </DownloadLink>
      }
    >
      <Figures>
        <Figure name="Available" note="Reserved amounts are already subtracted" micros={account.data?.balance_micros} />
        <AutoRechargeFigure />
        <Figure name="Customer since">{account.data ? formatDay(account.data.created_at) : '…'}</Figure>
      </Figures>
      <Payments />
      <ListCard
        title="Statement"
        caption="Statement"
        columns={STATEMENT_COLUMNS}
        pages={statement}
        keyOf={({ id }) => id}
        empty={['No money has moved yet', 'The first payment or job appears here.']}
      />
    </Page>
  );
}
