import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type Rehearsal } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { Form, Select } from '../../components/fields';
import { Card, Page, Row } from '../../components/page';
import { Loaded } from '../../components/states';
import { formatMoney } from '../../formatting/format';
import type { PageProps } from '../../routes';

/** The page of the sandbox payment provider, in the place of Stripe's. */
export function RehearsalPage({ params }: PageProps) {
  const path = `${API}/rehearsals/${encodeURIComponent(params['id'] ?? '')}`;
  const rehearsal = useGet<Rehearsal>(['rehearsal', path], path);
  return (
    <Page
      title="Rehearsal of a payment"
      intro="This is a test page of the sandbox provider. No card is charged, and no money moves."
    >
      <Loaded query={rehearsal} unknown={['No such page', 'It may belong to another account.']}>
        {(data) => <PaymentCard rehearsal={data} path={path} />}
      </Loaded>
    </Page>
  );
}

function PaymentCard({ rehearsal, path }: { rehearsal: Rehearsal; path: string }) {
  const { cards, amount_micros, return_url, state } = rehearsal;
  const [card, setCard] = useState(cards[0]?.card ?? '');
  const pay = useMutation({
    mutationFn: (is_confirmed: boolean) => post<{ outcome: string }>(path, { card, is_confirmed }),
    onSuccess: ({ outcome }) => outcome === 'paid' && window.location.assign(return_url),
  });
  const choose = (chosen: string) => {
    pay.reset();
    setCard(chosen);
  };
  const outcome = pay.data?.outcome;
  const options = cards.map((each) => [each.card, `${each.number} · ${each.label}`] as const);
  return (
    <Card title={`Pay ${formatMoney(amount_micros)}`}>
      <Form error={pay.error} onSubmit={() => !pay.isPending && pay.mutate(outcome === 'needs_confirmation')}>
        <Select label="Card" name="card" value={card} options={options} onChange={choose} />
        {outcome === 'declined' && <p role="alert">The card was declined. Choose another one.</p>}
        {outcome === 'needs_confirmation' && <p role="alert">The bank asks for a second step: confirm the payment.</p>}
        <Row>
          <Button type="submit" kind="primary" isBusy={pay.isPending} disabled={state !== 'open'}>
            {outcome === 'needs_confirmation' ? 'Confirm the payment' : 'Pay'}
          </Button>
          <a href={return_url}>Back without paying</a>
        </Row>
      </Form>
    </Card>
  );
}
