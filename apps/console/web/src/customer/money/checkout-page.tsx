import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { API, type Checkout } from '../../api/customer';
import { useGet } from '../../api/pages';
import { ButtonLink } from '../../components/button';
import { Card, Page, Row, Stack } from '../../components/page';
import { Loaded } from '../../components/states';
import { Money } from '../../components/values';
import type { PageProps } from '../../routes';

const POLL_MS = 3_000;

/** Where the customer comes back to from the page of the payment provider: the payment as it stands. */
export function CheckoutPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const client = useQueryClient();
  const checkout = useGet<Checkout>(['checkout', id], `${API}/checkouts/${encodeURIComponent(id)}`, {
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? POLL_MS : false),
  });
  const isPaid = checkout.data?.state === 'paid';
  useEffect(() => {
    if (isPaid) void client.invalidateQueries({ queryKey: ['account'] });
  }, [isPaid, client]);
  return (
    <Page title="Payment">
      <Loaded query={checkout} unknown={['No such payment', 'It may belong to another account.']}>
        {(data) => (
          <Card>
            <Stack>
              <p role="status">
                <Money micros={data.amount_micros} /> {STATES[data.state]}
              </p>
              <Row>
                {data.url !== null && <a href={data.url}>Go on paying</a>}
                {data.invoice_url !== null && (
                  <a href={data.invoice_url} target="_blank" rel="noreferrer">
                    Invoice
                  </a>
                )}
                <ButtonLink to="/money">Back to Money</ButtonLink>
              </Row>
            </Stack>
          </Card>
        )}
      </Loaded>
    </Page>
  );
}

const STATES: Record<Checkout['state'], ReactNode> = {
  open: 'is not paid yet. This page follows the payment; you may also close it.',
  paid: 'is paid, and in your balance.',
  expired: 'was not paid in time. Nothing was charged.',
  refused: 'does not fit the record of the payment provider, so it is not in your balance. The operator looks into it.',
};
