import { ApiError } from '../../api/client';
import { OPERATOR, type OperatorModel } from '../../api/operator';
import { Select, TextField, useForm } from '../../components/fields';
import { parseDollars } from '../../formatting/format';
import { ActionDialog } from '../actions/action-dialog';
import { usePriceGroups } from './use-price-groups';

const MICROS_OF_DOLLAR = 1_000_000;

export function PriceDialog({ listed, onClose }: { listed: OperatorModel; onClose: () => void }) {
  const { model, micros_by_size: bySize = {} } = listed;
  const sizes = Object.entries(bySize).map(([size, micros]) => `${size} ${micros / MICROS_OF_DOLLAR}`);
  const { form, field } = useForm({
    micros: model.price === null ? '' : String(model.price.usd),
    micros_by_size: sizes.join(', '),
    price_group: '',
    from: '',
  });
  const groups = usePriceGroups();
  const body = () => ({
    ...(form.micros.trim() !== '' && { micros: microsOf(form.micros, 'micros') }),
    ...(form.micros.trim() !== '' && { micros_by_size: sizesOf(form.micros_by_size) }),
    ...(form.price_group !== '' && { price_group: form.price_group }),
    ...timeOf(form.from),
  });
  return (
    <ActionDialog
      title={`Price of ${model.label}`}
      action="Set the price"
      path={`${OPERATOR}/models/${encodeURIComponent(model.id)}/prices`}
      body={body}
      done={`The price of ${model.label} is set.`}
      onClose={onClose}
    >
      <TextField
        label={`Dollars per ${model.price?.per ?? 'unit'}`}
        inputMode="decimal"
        hint="Empty gives the price of the catalog back. Quotes and jobs keep theirs."
        {...field('micros')}
      />
      <TextField label="Sizes at another price" placeholder="768x768 0.0015, …" {...field('micros_by_size')} />
      <Select label="For" options={groups} {...field('price_group')} />
      <BeginField {...field('from')} />
    </ActionDialog>
  );
}

export function FactorDialog({ group, onClose }: { group: string; onClose: () => void }) {
  const { form, field } = useForm({ price_group: group, factor_basis_points: '', from: '' });
  const body = () => {
    for (const name of ['price_group', 'factor_basis_points'] as const)
      if (form[name].trim() === '') throw new ApiError('This is needed.', 0, 'invalid_body', name);
    return { factor_basis_points: Math.round(Number(form.factor_basis_points) * 100), ...timeOf(form.from) };
  };
  return (
    <ActionDialog
      title={group === '' ? 'New price group' : `Factor of ${group}`}
      action="Set the factor"
      path={`${OPERATOR}/price-groups/${encodeURIComponent(form.price_group.trim())}/factors`}
      body={body}
      done="The factor is set."
      onClose={onClose}
    >
      {group === '' && <TextField label="Name" {...field('price_group')} />}
      <TextField label="Percent of the price list" inputMode="decimal" {...field('factor_basis_points')} />
      <BeginField {...field('from')} />
    </ActionDialog>
  );
}

const BeginField = (field: { name: string; value: string; onChange: (value: string) => void }) => (
  <TextField
    label="Begins"
    type="datetime-local"
    hint="At once if empty; in the time zone of this device."
    {...field}
  />
);

const timeOf = (from: string) => (from === '' ? {} : { from: new Date(from).toISOString() });

function microsOf(text: string, param: string): number {
  const micros = parseDollars(text);
  if (micros === null) throw new ApiError('Write an amount such as 0.02.', 0, 'invalid_body', param);
  return micros;
}

/** `768x768 0.0015, 64x64 0.001` */
function sizesOf(text: string): Record<string, number> {
  const sizes = text.split(',').filter((each) => each.trim() !== '');
  const entries = sizes.map((each) => {
    const [size = '', dollars = ''] = each.trim().split(/\s+/);
    return [size, microsOf(dollars, 'micros_by_size')] as const;
  });
  return Object.fromEntries(entries);
}
