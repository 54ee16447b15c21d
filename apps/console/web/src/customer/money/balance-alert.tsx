import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { post } from '../../api/client';
import { API, type BalanceAlert, useAccount, useMay } from '../../api/customer';
import { useGet } from '../../api/pages';
import { AmountField, optionalMicrosOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { Card, Figure, Row } from '../../components/page';
import { dollarsOf, formatMoney } from '../../formatting/format';
import { describeDays, useDaysLeft } from './days-left';
import { useOffer } from './top-up-dialog';

const PATH = `${API}/balance-alert`;
const useAlert = () =>
  useGet<BalanceAlert>(['balance-alert'], PATH, { refetchInterval: 30_000, enabled: useMay('see_money') });
/** With fewer days left the banner speaks without a threshold, too. */
const FEW_DAYS = 3;

/** What is owed, or that the balance is low, and what to do about it; nothing otherwise. */
export function BalanceBanner({ action }: { action?: ReactNode }) {
  const { data: alert } = useAlert();
  const days = useDaysLeft();
  const recharges = useAccount().data?.auto_recharge.enabled;
  const offer = useOffer();
  if (!alert || recharges === undefined || (offer.isPending && !offer.error)) return null;
  const problem = problemOf(alert, recharges ? null : days);
  if (problem === null) return null;
  const remedy = recharges
    ? 'Auto-recharge is on.'
    : offer.data?.provider
      ? 'Top up, or switch auto-recharge on.'
      : ASK;
  return (
    <Card>
      <Row>
        <p role="alert">{`${problem} ${alert.owed_micros > 0 ? 'The next payment pays it first.' : remedy}`}</p>
        {action}
      </Row>
    </Card>
  );
}

const ASK = 'Ask the operator of this service to add money.';

function problemOf({ owed_micros, is_below, threshold_micros }: BalanceAlert, days: number | null): string | null {
  if (owed_micros > 0) return `${formatMoney(owed_micros)} of payments that went back are owed.`;
  if (is_below && threshold_micros !== null) {
    const rest = days === null ? '' : `, ${describeDays(days)}`;
    return `Less than ${formatMoney(threshold_micros)} is left${rest}.`;
  }
  return days !== null && days < FEW_DAYS ? `The balance lasts ${describeDays(days)}.` : null;
}

/** What can be spent now: what jobs have reserved is subtracted already. */
export function AvailableFigure() {
  const account = useAccount().data;
  const days = useDaysLeft();
  const lasts = days === null ? 'Reserved amounts are subtracted' : `Lasts ${describeDays(days)}`;
  const note = account?.auto_recharge.enabled ? 'Recharges by itself' : lasts;
  return <Figure name="Available" note={note} micros={account?.balance_micros} />;
}

export function BalanceAlertFigure() {
  const { data: alert } = useAlert();
  const threshold = alert?.threshold_micros ?? null;
  return (
    <Figure name="Warning" note="When the balance falls below">
      {!alert ? '…' : threshold === null ? 'None' : formatMoney(threshold)}
      {alert && (
        <Button kind="quiet" onClick={() => openDialog(AlertDialog, { threshold })}>
          Set
        </Button>
      )}
    </Figure>
  );
}

function AlertDialog({ threshold, onClose }: { threshold: number | null; onClose: () => void }) {
  const client = useQueryClient();
  const [amount, setAmount] = useState(threshold === null ? '' : dollarsOf(threshold));
  const change = useMutation({
    mutationFn: async () => post(PATH, { threshold_micros: optionalMicrosOf(amount, 'threshold_micros') }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['balance-alert'] });
      onClose();
    },
  });
  return (
    <FormDialog title="Warning" action="Save" mutation={change} onClose={onClose}>
      <AmountField
        label="Warn when the balance falls below (USD)"
        name="threshold_micros"
        hint="Empty for no warning."
        value={amount}
        onChange={setAmount}
      />
    </FormDialog>
  );
}
