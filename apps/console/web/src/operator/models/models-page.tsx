import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client';
import { OPERATOR, type OperatorModel } from '../../api/operator';
import { Button } from '../../components/button';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge, Money, Nothing } from '../../components/values';
import { ActionDialog } from '../actions/action-dialog';

export function ModelsPage() {
  const [chosen, setChosen] = useState<OperatorModel | null>(null);
  const models = useQuery({
    queryKey: ['operator-models'],
    queryFn: ({ signal }) => get<{ data: OperatorModel[] }>(`${OPERATOR}/models`, signal),
  });
  return (
    <Page title="Models" intro="Prices and routes come from the catalog. A switched-off model refuses new jobs.">
      <Loaded query={models}>
        {({ data }) => (
          <Card isFlush>
            <Table caption="Models" columns={columnsOf(setChosen)} items={data} keyOf={({ id }) => id} />
          </Card>
        )}
      </Loaded>
      {chosen && (
        <ActionDialog
          title={`${chosen.is_enabled ? 'Switch off' : 'Switch on'} ${chosen.label}`}
          action={chosen.is_enabled ? 'Switch off' : 'Switch on'}
          path={`${OPERATOR}/models/${chosen.id}/switch`}
          body={() => ({ is_enabled: !chosen.is_enabled })}
          done={`${chosen.label} is switched ${chosen.is_enabled ? 'off' : 'on'}.`}
          isDangerous={chosen.is_enabled}
          onClose={() => setChosen(null)}
        />
      )}
    </Page>
  );
}

const columnsOf = (choose: (model: OperatorModel) => void): readonly Column<OperatorModel>[] => [
  { name: 'Model', cell: ({ label }) => label },
  { name: 'Id', cell: ({ id }) => <code>{id}</code>, isExtra: true },
  { name: 'State', cell: ({ is_enabled: isOn }) => <Badge tone={isOn ? 'good' : 'calm'}>{isOn ? 'on' : 'off'}</Badge> },
  {
    name: 'Routes',
    cell: ({ routes }) => routes?.map(({ provider }) => provider).join(', ') ?? <Nothing />,
    isExtra: true,
  },
  {
    name: 'Price',
    cell: ({ price }) =>
      price === null ? (
        <Nothing />
      ) : (
        <>
          <Money micros={price.micros} /> a {price.per}
        </>
      ),
    isNumber: true,
  },
  {
    name: 'Margin',
    cell: ({ margin_micros: margin }) => (typeof margin === 'number' ? <Money micros={margin} /> : <Nothing />),
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'Actions',
    isNameless: true,
    isNumber: true,
    cell: (model) => (
      <Button kind="quiet" aria-label={`Switch ${model.label}`} onClick={() => choose(model)}>
        {model.is_enabled ? 'Switch off' : 'Switch on'}
      </Button>
    ),
  },
];
