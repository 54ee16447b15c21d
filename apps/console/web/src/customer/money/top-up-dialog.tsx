import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { API, type Checkout, type TopUpOffer } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog } from '../../components/dialog';
import { Check, TextField } from '../../components/fields';
import { Row } from '../../components/page';
import { formatMoney, parseDollars } from '../../formatting/format';

/** Opens the dialog; nothing where the operator takes no payments. */
export function TopUpButton() {
  const [isOpen, setOpen] = useState(false);
  const offer = useGet<TopUpOffer>(['top-up-offer'], `${API}/top-up-offer`);
  if (!offer.data?.provider) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Top up
      </Button>
      {isOpen && <TopUpDialog offer={offer.data} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The amount; the card is given at the page of the payment provider, which follows. */
function TopUpDialog({ offer, onClose }: { offer: TopUpOffer; onClose: () => void }) {
  const [amount, setAmount] = useState(dollarsOf(offer.suggestions_micros[0] ?? offer.min_micros));
  const [savesCard, setSavesCard] = useState(false);
  const begin = useMutation({
    mutationFn: async () => {
      const amount_micros = parseDollars(amount);
      if (amount_micros === null)
        throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', 'amount_micros');
      return post<Checkout>(`${API}/checkouts`, { amount_micros, saves_card: savesCard });
    },
    onSuccess: ({ url }) => url !== null && window.location.assign(url),
  });
  return (
    <FormDialog title="Top up" action="Pay" mutation={begin} params={['amount_micros']} onClose={onClose}>
      <Row>
        {offer.suggestions_micros.map((micros) => (
          <Button key={micros} onClick={() => setAmount(dollarsOf(micros))}>
            {formatMoney(micros)}
          </Button>
        ))}
      </Row>
      <TextField
        label="Amount in dollars"
        name="amount_micros"
        inputMode="decimal"
        hint={`From ${formatMoney(offer.min_micros)} to ${formatMoney(offer.max_micros)}. Tax may be added at the next page.`}
        value={amount}
        onChange={setAmount}
      />
      <Check label="Save this card for auto-recharge" checked={savesCard} onChange={setSavesCard} />
    </FormDialog>
  );
}

const dollarsOf = (micros: number) => formatMoney(micros).replace(/[$,]/g, '');
