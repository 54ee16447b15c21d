import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post } from '../../api/client';
import { API, type BillingDetails } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { TextArea, TextField, useForm } from '../../components/fields';
import { Card } from '../../components/page';

const PATH = `${API}/billing-details`;

/** Who the customer is on paper, in lines. */
export const DetailLines = ({ name, address, tax_id }: BillingDetails) =>
  [name, ...address.split('\n'), ...(tax_id === null ? [] : [`Tax id ${tax_id}`])].map((line, place) => (
    <p key={place}>{line}</p>
  ));

export function BillingDetailsCard() {
  const { data } = useGet<{ billing_details: BillingDetails | null }>(['billing-details'], PATH);
  if (!data) return null;
  const details = data.billing_details;
  return (
    <Card
      title="Billing details"
      intro="They stand on statements and receipts."
      actions={<Button onClick={() => openDialog(DetailsDialog, { details })}>{details ? 'Change' : 'Add'}</Button>}
    >
      {details ? <DetailLines {...details} /> : 'Neither a name nor an address yet.'}
    </Card>
  );
}

function DetailsDialog({ details, onClose }: { details: BillingDetails | null; onClose: () => void }) {
  const client = useQueryClient();
  const { form, field } = useForm({
    name: details?.name ?? '',
    address: details?.address ?? '',
    tax_id: details?.tax_id ?? '',
  });
  const change = useMutation({
    mutationFn: () => post(PATH, { ...form, tax_id: form.tax_id.trim() || null }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['billing-details'] });
      onClose();
    },
  });
  return (
    <FormDialog title="Billing details" action="Save" mutation={change} onClose={onClose}>
      <TextField label="Name" autoComplete="organization" {...field('name')} />
      <TextArea label="Address" rows={3} autoComplete="street-address" {...field('address')} />
      <TextField label="Tax id" hint="Such as a VAT number. Empty for none." {...field('tax_id')} />
    </FormDialog>
  );
}
