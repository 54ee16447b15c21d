import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/client';
import { API, type SavedCard } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { type Column, Table } from '../../components/table';
import { notify, notifyError } from '../../components/toasts';

const PATH = `${API}/cards`;

export const useCards = () =>
  useGet<{ data: SavedCard[] }, SavedCard[]>(['cards'], PATH, { select: ({ data }) => data, staleTime: 60_000 });

export const nameOf = ({ brand, last4 }: SavedCard) => `${brand} ···· ${last4}`;

/** The saved cards; nothing where there are none. */
export function Cards() {
  const client = useQueryClient();
  const cards = useCards();
  const remove = useMutation({
    mutationFn: (card: SavedCard) => request('DELETE', `${PATH}/${encodeURIComponent(card.card_id)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['cards'] });
      await client.invalidateQueries({ queryKey: ['auto-recharge'] });
      notify('The card is removed.');
    },
    onError: notifyError,
  });
  if (!cards.data?.length) return null;
  const columns: readonly Column<SavedCard>[] = [
    { name: 'Card', cell: nameOf },
    { name: 'Expires', cell: ({ exp_month, exp_year }) => `${String(exp_month).padStart(2, '0')}/${exp_year}` },
    {
      name: 'Action',
      cell: (card) => (
        <Button isBusy={remove.isPending} onClick={() => remove.mutate(card)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Card title="Cards" intro="The payment provider keeps them, for auto-recharge." isFlush>
      <Table caption="Saved cards" columns={columns} items={cards.data} keyOf={({ card_id }) => card_id} />
    </Card>
  );
}
