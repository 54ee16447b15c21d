import { OPERATOR, type OperatorModel } from '../../api/operator';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { actions, type Column, Table } from '../../components/table';
import { Badge, Money, Nothing } from '../../components/values';
import { formatMoney } from '../../formatting/format';
import { ActionDialog } from '../actions/action-dialog';
import { formatMargin, marginOf } from './margin';
import { PriceDialog } from './price-dialogs';
import { PriceGroups, PriceHistory } from './price-groups';
import { Permitted } from '../session/permitted';

export function ModelsPage() {
  const models = useGet<{ data: OperatorModel[] }>(['operator-models'], `${OPERATOR}/models`);
  return (
    <Page
      title="Models"
      intro="Routes and their costs come from the catalog, as do prices until they are set here. A switched-off model refuses new jobs."
    >
      <Loaded query={models}>
        {({ data }) => (
          <Card isFlush>
            <Table caption="Models" columns={COLUMNS} items={data} keyOf={({ model }) => model.id} />
          </Card>
        )}
      </Loaded>
      <PriceGroups />
      <PriceHistory />
    </Page>
  );
}

const switchOf = ({ enabled }: OperatorModel) => (enabled ? 'Switch off' : 'Switch on');

const switchModel = (listed: OperatorModel) =>
  openDialog(ActionDialog, {
    title: `${switchOf(listed)} ${listed.model.label}`,
    method: 'PATCH',
    action: switchOf(listed),
    path: `${OPERATOR}/models/${encodeURIComponent(listed.model.id)}`,
    body: () => ({ enabled: !listed.enabled }),
    done: `${listed.model.label} is switched ${listed.enabled ? 'off' : 'on'}.`,
    isDangerous: listed.enabled,
  });

/** Of the base price, at the dearest and the cheapest route; unknown without the cost of each route. */
function Margin({ model: { model, routes } }: { model: OperatorModel }) {
  const margin = marginOf(model.price?.micros ?? null, routes);
  if (margin === null) return <Badge tone="calm">unknown</Badge>;
  return <Badge tone={margin.lowest < 0 ? 'bad' : 'good'}>{formatMargin(margin)}</Badge>;
}

const COLUMNS: readonly Column<OperatorModel>[] = [
  { name: 'Model', cell: ({ model }) => model.label },
  { name: 'Id', cell: ({ model }) => <code>{model.id}</code>, isExtra: true },
  { name: 'State', cell: ({ enabled: isOn }) => <Badge tone={isOn ? 'good' : 'calm'}>{isOn ? 'on' : 'off'}</Badge> },
  {
    name: 'Routes',
    cell: ({ routes }) => routes.map(({ provider }) => provider).join(', '),
    isExtra: true,
  },
  {
    name: 'Marks',
    cell: ({ routes }) => routes.map(({ marker, upstream_mark: mark }) => mark ?? marker ?? 'none').join(', '),
    isExtra: true,
  },
  {
    name: 'Price',
    cell: ({ model: { price } }) =>
      price === null ? (
        <Nothing />
      ) : (
        <>
          <Money micros={price.micros} /> per {price.per}
        </>
      ),
    isNumber: true,
  },
  {
    name: 'Cost',
    cell: ({ routes }) =>
      routes.map(({ cost_micros: cost }) => (cost === undefined ? '?' : formatMoney(cost))).join(', '),
    isNumber: true,
    isExtra: true,
  },
  { name: 'Margin', cell: (model) => <Margin model={model} />, isNumber: true, isExtra: true },
  actions((listed) => (
    <>
      <Permitted to="change_money">
        <Button
          kind="quiet"
          aria-label={`Set price of ${listed.model.label}`}
          onClick={() => openDialog(PriceDialog, { listed })}
        >
          Set price
        </Button>
      </Permitted>
      <Permitted to="switch_models">
        <Button
          kind="quiet"
          aria-label={`${switchOf(listed)} ${listed.model.label}`}
          onClick={() => switchModel(listed)}
        >
          {switchOf(listed)}
        </Button>
      </Permitted>
    </>
  )),
];
