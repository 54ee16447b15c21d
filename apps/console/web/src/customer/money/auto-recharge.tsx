import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, get, post } from '../../api/client';
import type { AutoRecharge } from '../../api/console-lists';
import { API } from '../../api/customer';
import { Button } from '../../components/button';
import { FormDialog } from '../../components/dialog';
import { Check, TextField } from '../../components/fields';
import { Figure } from '../../components/page';
import { notify } from '../../components/toasts';
import { formatMoney, parseDollars } from '../../formatting/money';

const PATH = `${API}/auto-recharge`;

/** Whether the card is charged by itself, with the button that changes it where a card is known. */
export function AutoRechargeFigure() {
  const [isOpen, setOpen] = useState(false);
  const recharge = useQuery({
    queryKey: ['auto-recharge'],
    queryFn: ({ signal }) => get<{ auto_recharge: AutoRecharge | null }>(PATH, signal),
  });
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

interface AutoRechargeDialogProps {
  recharge: AutoRecharge;
  onClose: () => void;
}

const dollars = (micros: number | null) => (micros === null ? '' : formatMoney(micros).replace('$', ''));

function AutoRechargeDialog({ recharge, onClose }: AutoRechargeDialogProps) {
  const client = useQueryClient();
  const [isEnabled, setEnabled] = useState(recharge.enabled);
  const [threshold, setThreshold] = useState(dollars(recharge.threshold_micros));
  const [amount, setAmount] = useState(dollars(recharge.amount_micros));
  const [cap, setCap] = useState(dollars(recharge.monthly_cap_micros));
  const change = useMutation({
    mutationFn: async () =>
      post(PATH, {
        enabled: isEnabled,
        threshold_micros: microsOf('threshold_micros', threshold),
        amount_micros: microsOf('amount_micros', amount),
        monthly_cap_micros: cap.trim() === '' ? null : microsOf('monthly_cap_micros', cap),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['auto-recharge'] });
      notify('The auto-recharge is changed.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Auto-recharge"
      action="Save"
      isBusy={change.isPending}
      error={change.error}
      params={['threshold_micros', 'amount_micros', 'monthly_cap_micros']}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Check label="Charge the card when the balance is low" checked={isEnabled} onChange={setEnabled} />
      <TextField label="When less than, in dollars" name="threshold_micros" value={threshold} onChange={setThreshold} />
      <TextField label="Charge, in dollars" name="amount_micros" value={amount} onChange={setAmount} />
      <TextField label="At most a month, in dollars" name="monthly_cap_micros" value={cap} onChange={setCap} />
    </FormDialog>
  );
}

function microsOf(param: string, text: string): number {
  const micros = parseDollars(text);
  if (micros === null) throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', param);
  return micros;
}
