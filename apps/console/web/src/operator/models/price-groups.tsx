import { OPERATOR, type PriceChange } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { Card } from '../../components/page';
import { Loaded } from '../../components/states';
import { actions, type Column, Table } from '../../components/table';
import { Money, Nothing, Time } from '../../components/values';
import { Permitted } from '../session/permitted';
import { FactorDialog } from './price-dialogs';
import { useGroups } from './use-price-groups';

const percentOf = (factor: number | null) => (factor === null ? <Nothing /> : `${factor / 100} %`);

/** Whose accounts pay another part of the price list, or prices of their own. */
export function PriceGroups() {
  const groups = useGroups();
  return (
    <Card title="Price groups" isFlush>
      <Loaded query={groups}>
        {({ data }) => (
          <Table
            caption="Price groups"
            columns={GROUP_COLUMNS}
            items={data}
            keyOf={({ id }) => String(id)}
            empty="All accounts pay the price list"
          />
        )}
      </Loaded>
      <Permitted to="change_money">
        <Button onClick={() => openDialog(FactorDialog, { group: '' })}>Add a price group</Button>
      </Permitted>
    </Card>
  );
}

const GROUP_COLUMNS: readonly Column<PriceChange>[] = [
  { name: 'Group', cell: ({ price_group: name }) => name },
  { name: 'Of the price list', cell: ({ factor_basis_points: factor }) => percentOf(factor), isNumber: true },
  { name: 'Since', cell: ({ effective_from }) => <Time at={effective_from} />, isExtra: true },
  actions(({ price_group: name }) => (
    <Permitted to="change_money">
      <Button
        kind="quiet"
        aria-label={`Set factor of ${name}`}
        onClick={() => openDialog(FactorDialog, { group: name ?? '' })}
      >
        Set factor
      </Button>
    </Permitted>
  )),
];

const COLUMNS: readonly Column<PriceChange>[] = [
  { name: 'Number', cell: ({ id }) => id },
  { name: 'Begins', cell: ({ effective_from }) => <Time at={effective_from} /> },
  { name: 'Model', cell: ({ model }) => model ?? 'all' },
  { name: 'For', cell: ({ price_group: name }) => name ?? 'all accounts', isExtra: true },
  {
    name: 'Price',
    cell: ({ micros, factor_basis_points: factor }) =>
      micros !== null ? <Money micros={micros} /> : factor !== null ? percentOf(factor) : 'of the catalog',
    isNumber: true,
  },
  { name: 'By', cell: ({ actor }) => actor ?? <Nothing />, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
];

/** What was set, also for later; jobs name the numbers that their price follows from. */
export function PriceHistory() {
  return (
    <ListCard
      title="Price changes"
      caption="Price changes"
      columns={COLUMNS}
      pages={usePages<PriceChange>(`${OPERATOR}/price-changes`, {})}
      keyOf={({ id }) => String(id)}
      empty={['All prices are those of the catalog']}
    />
  );
}
