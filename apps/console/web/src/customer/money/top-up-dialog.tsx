import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type Checkout, type TopUpOffer, useMay } from '../../api/customer';
import { useGet } from '../../api/pages';
import { AmountField, microsOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { Check } from '../../components/fields';
import { Row } from '../../components/page';
import { dollarsOf, formatMoney } from '../../formatting/format';

export const useOffer = () =>
  useGet<TopUpOffer>(['top-up-offer'], `${API}/top-up-offer`, { enabled: useMay('see_money') });

/** Opens the dialog; nothing where the operator takes no payments, or the member may not pay. */
export function TopUpButton() {
  const offer = useOffer().data;
  const mayPay = useMay('change_money');
  if (!offer?.provider || !mayPay) return null;
  return (
    <Button kind="primary" onClick={() => openDialog(TopUpDialog, { offer })}>
      Top up
    </Button>
  );
}

/** The amount; the card is given at the page of the payment provider, which follows. */
function TopUpDialog({ offer, onClose }: { offer: TopUpOffer; onClose: () => void }) {
  const [amount, setAmount] = useState(dollarsOf(offer.suggestions_micros[0] ?? offer.min_micros));
  const [savesCard, setSavesCard] = useState(false);
  const begin = useMutation({
    mutationFn: async () =>
      post<Checkout>(`${API}/checkouts`, { amount_micros: microsOf(amount), saves_card: savesCard }),
    onSuccess: ({ url }) => url !== null && window.location.assign(url),
  });
  return (
    <FormDialog title="Top up" action="Pay" mutation={begin} onClose={onClose}>
      <Row>
        {offer.suggestions_micros.map((micros) => (
          <Button key={micros} onClick={() => setAmount(dollarsOf(micros))}>
            {formatMoney(micros)}
          </Button>
        ))}
      </Row>
      <AmountField
        hint={`From ${formatMoney(offer.min_micros)} to ${formatMoney(offer.max_micros)}. Tax may be added at the next page.`}
        value={amount}
        onChange={setAmount}
      />
      <Check label="Save this card for auto-recharge" checked={savesCard} onChange={setSavesCard} />
    </FormDialog>
  );
}
