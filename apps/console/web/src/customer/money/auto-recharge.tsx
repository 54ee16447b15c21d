import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type AutoRecharge, type SavedCard } from '../../api/customer';
import { useGet } from '../../api/pages';
import { AmountField, microsOf, optionalMicrosOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { Check, Select, useForm } from '../../components/fields';
import { Figure } from '../../components/page';
import { notify } from '../../components/toasts';
import { dollarsOf, formatMoney } from '../../formatting/format';
import { nameOf, useCards } from './cards';

const PATH = `${API}/auto-recharge`;
/** What a new auto-recharge begins with. */
const START = {
  enabled: true,
  threshold_micros: 5_000_000,
  amount_micros: 25_000_000,
  monthly_cap_micros: 100_000_000,
};

type Settings = Pick<AutoRecharge, 'enabled' | 'threshold_micros' | 'amount_micros' | 'monthly_cap_micros'>;

/** Whether the card is charged by itself, with the button that changes it where a card is known. */
export function AutoRechargeFigure() {
  const recharge = useGet<{ auto_recharge: AutoRecharge | null }>(['auto-recharge'], PATH);
  const known = useCards().data;
  const cards = known ?? [];
  const set = recharge.data?.auto_recharge ?? null;
  const mayChange = set !== null || cards.length > 0;
  const isRead = recharge.data !== undefined && known !== undefined;
  const open = () => openDialog(AutoRechargeDialog, { settings: set ?? START, isNew: !set, cards });
  return (
    <Figure name="Auto-recharge" note={isRead && noteOf(set, cards)}>
      {!isRead ? '…' : set?.enabled ? 'On' : 'Off'}
      {mayChange && (
        <Button kind="quiet" onClick={open}>
          {set ? 'Change' : 'Set up'}
        </Button>
      )}
    </Figure>
  );
}

function noteOf(recharge: AutoRecharge | null, cards: SavedCard[]): string {
  if (recharge === null) return cards.length > 0 ? 'Pays in by a saved card' : 'Save a card with a top-up first';
  if (recharge.stopped_reason !== null) return `Stopped: ${recharge.stopped_reason}`;
  return `${formatMoney(recharge.amount_micros)} when less than ${formatMoney(recharge.threshold_micros)} is left`;
}

interface DialogProps {
  settings: Settings;
  isNew: boolean;
  cards: SavedCard[];
  onClose: () => void;
}

function AutoRechargeDialog({ settings, isNew, cards, onClose }: DialogProps) {
  const client = useQueryClient();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [card, setCard] = useState(isNew ? (cards[0]?.card_id ?? '') : '');
  const { form, field } = useForm({
    threshold_micros: dollarsOf(settings.threshold_micros),
    amount_micros: dollarsOf(settings.amount_micros),
    monthly_cap_micros: settings.monthly_cap_micros === null ? '' : dollarsOf(settings.monthly_cap_micros),
  });
  const change = useMutation({
    mutationFn: async () =>
      post(PATH, {
        enabled,
        threshold_micros: microsOf(form.threshold_micros, 'threshold_micros'),
        amount_micros: microsOf(form.amount_micros),
        monthly_cap_micros: optionalMicrosOf(form.monthly_cap_micros, 'monthly_cap_micros'),
        ...(card !== '' && { card_id: card }),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['auto-recharge'] });
      notify('The auto-recharge is changed.');
      onClose();
    },
  });
  const known = cards.map((each) => [each.card_id, nameOf(each)] as const);
  const options = isNew ? known : [['', 'The card as it is'] as const, ...known];
  return (
    <FormDialog title="Auto-recharge" action="Save" mutation={change} onClose={onClose}>
      <Check label="Charge the card when the balance is low" checked={enabled} onChange={setEnabled} />
      {cards.length > 0 && <Select label="Card" name="card_id" value={card} options={options} onChange={setCard} />}
      <AmountField label="When the balance falls below (USD)" {...field('threshold_micros')} />
      <AmountField label="Amount to charge (USD)" {...field('amount_micros')} />
      <AmountField label="Monthly limit (USD)" {...field('monthly_cap_micros')} />
    </FormDialog>
  );
}
