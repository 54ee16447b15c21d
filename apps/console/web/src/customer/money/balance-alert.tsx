import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { API, type BalanceAlert } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { Card, Figure } from '../../components/page';
import { formatMoney, parseDollars } from '../../formatting/format';

const PATH = `${API}/balance-alert`;
const useAlert = () => useGet<BalanceAlert>(['balance-alert'], PATH, { refetchInterval: 30_000 });

/** What is owed, or that the balance is low; nothing otherwise. */
export function BalanceBanner() {
  const { data: alert } = useAlert();
  if (!alert) return null;
  if (alert.owed_micros > 0)
    return (
      <Banner>{`${formatMoney(alert.owed_micros)} of a disputed payment are owed. The next top-up pays it first.`}</Banner>
    );
  if (!alert.is_below || alert.threshold_micros === null) return null;
  return (
    <Banner>{`Less than ${formatMoney(alert.threshold_micros)} is left. Top up, or switch auto-recharge on.`}</Banner>
  );
}

const Banner = ({ children }: { children: string }) => (
  <Card>
    <p role="alert">{children}</p>
  </Card>
);

export function BalanceAlertFigure() {
  const [isOpen, setOpen] = useState(false);
  const { data: alert } = useAlert();
  const threshold = alert?.threshold_micros ?? null;
  return (
    <>
      <Figure name="Warning" note="When the balance falls below">
        {threshold === null ? 'None' : formatMoney(threshold)}
        <Button kind="quiet" onClick={() => setOpen(true)}>
          Set
        </Button>
      </Figure>
      {isOpen && <AlertDialog threshold={threshold} onClose={() => setOpen(false)} />}
    </>
  );
}

function AlertDialog({ threshold, onClose }: { threshold: number | null; onClose: () => void }) {
  const client = useQueryClient();
  const [amount, setAmount] = useState(threshold === null ? '' : formatMoney(threshold).replace(/[$,]/g, ''));
  const change = useMutation({
    mutationFn: async () => {
      const micros = amount.trim() === '' ? null : parseDollars(amount);
      if (micros === null && amount.trim() !== '')
        throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', 'threshold_micros');
      return post(PATH, { threshold_micros: micros });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['balance-alert'] });
      onClose();
    },
  });
  return (
    <FormDialog title="Warning" action="Save" mutation={change} params={['threshold_micros']} onClose={onClose}>
      <TextField
        label="Warn when less is left than, in dollars"
        name="threshold_micros"
        inputMode="decimal"
        hint="Empty for no warning."
        value={amount}
        onChange={setAmount}
      />
    </FormDialog>
  );
}
