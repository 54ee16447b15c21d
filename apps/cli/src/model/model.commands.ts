import { type ModelDetails, catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatTable } from '../output/report';

/** Adds the commands for models and whether they accept new jobs. */
export function addModelCommands(program: Command, { stack, print }: CommandContext): void {
  const model = program.command('model').description('models and whether they accept new jobs');
  model
    .command('list')
    .description('all models, including the disabled ones')
    .action(async () => {
      const models = await stack.request(catalogAdminRpc.listAllModels, {});
      print({ value: models, text: formatModels(models.data) });
    });
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    model
      .command(`${verb} <model-id>`)
      .description(`${verb} a model for new jobs`)
      .action(async (id: string) => {
        const details = await stack.request(catalogAdminRpc.setModelEnabled, { model: id, enabled });
        print({ value: details, text: formatModels([details]) });
      });
  }
}

function formatModels(models: ModelDetails[]): string {
  const rows = models.map(({ model, enabled, routes }) => ({
    id: model.id,
    enabled,
    price_micros: model.price?.micros,
    per: model.price?.per,
    routes: routes.map(({ provider, weight }) => `${provider}:${weight}`).join(' '),
    marks: routes.map(({ marker, upstream_mark: mark }) => mark ?? marker ?? 'none').join(' '),
    label: model.label,
  }));
  return formatTable(rows, ['id', 'enabled', 'price_micros', 'per', 'routes', 'marks', 'label']);
}
