import type { Command } from 'commander';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import type { CommandContext } from '../command-context';
import { CURSOR, given, wholeNumberOf } from '../option-values';
import { describe, tabulate } from '../output/report';

/** A factor of 1 in basis points. */
const ONE = 10_000;
const COLUMNS = ['id', 'model', 'price_group', 'micros', 'factor_basis_points', 'effective_from'] as const;

/** Adds the commands for prices, and for the groups of accounts that pay others. */
export function addPriceCommands(program: Command, context: CommandContext): void {
  const price = program.command('price').description('what models cost, from the catalog until set here');
  addReads(price, context);
  addSet(price, context);
  addGroups(price.command('group').description('price groups of accounts'), context);
}

function addReads(price: Command, { stack, print }: CommandContext): void {
  price
    .command('list')
    .option('--price-group <name>', 'as the accounts of this group pay them')
    .description('prices in force; without changes, they are those of the catalog')
    .action(async ({ priceGroup: price_group }: { priceGroup?: string }) => {
      const models = await stack.request(catalogAdminRpc.listAllModels, given({ price_group }));
      const data = models.data.map(({ model: { id, price: shown }, micros_by_size, price_changes }) => ({
        ...{ model: id, micros: shown?.micros, per: shown?.per, micros_by_size, price_changes },
      }));
      print(tabulate({ data }, ['model', 'micros', 'per', 'micros_by_size', 'price_changes']));
    });
  price
    .command('history')
    .option('--model <id>', 'only those of this model')
    .option('--cursor <cursor>', CURSOR)
    .description('what was set, last first, also for later')
    .action(async (options: { model?: string; cursor?: string }) => {
      const changes = await stack.request(catalogAdminRpc.listPriceChanges, given(options));
      print(tabulate(changes, [...COLUMNS, 'micros_by_size', 'actor', 'reason']));
    });
}

interface SetOptions {
  micros: Micros;
  size?: Record<string, Micros>;
  priceGroup?: string;
  from?: string;
  reason?: string;
}

function addSet(price: Command, { stack, print }: CommandContext): void {
  withTime(price.command('set <model>'))
    .requiredOption('--micros <n>', 'micro-USD of one image, or second of video', wholeNumberOf('--micros'))
    .option('--size <size=micros>', 'another price of one size; may be repeated', addSize)
    .option('--price-group <name>', 'for the accounts of this group only, in place of its factor')
    .description('set the price of a model')
    .action(async (model: string, { micros, size: micros_by_size, priceGroup: price_group, ...rest }: SetOptions) => {
      const request = { model, micros, ...given({ micros_by_size, price_group, ...rest }) };
      print(describe(await stack.requestAsOperator(catalogAdminRpc.setPrice, request)));
    });
  withTime(price.command('reset <model>'))
    .option('--price-group <name>', 'end the own price of this group')
    .description('give a model the price of the catalog back')
    .action(async (model: string, { priceGroup: price_group, ...rest }: Omit<SetOptions, 'micros' | 'size'>) => {
      const request = { model, micros: null, ...given({ price_group, ...rest }) };
      print(describe(await stack.requestAsOperator(catalogAdminRpc.setPrice, request)));
    });
}

function addGroups(group: Command, { stack, print }: CommandContext): void {
  group
    .command('list')
    .description('price groups with their factors in basis points: 10000 is the price list')
    .action(async () => print(tabulate(await stack.request(catalogAdminRpc.listPriceGroups, {}), COLUMNS)));
  withTime(group.command('set <price-group>'))
    .requiredOption('--factor <factor>', 'of the price list, such as 0.8', factorOf)
    .description('make a price group, or change its factor')
    .action(async (price_group: string, { factor: factor_basis_points, ...rest }: SetOptions & { factor: number }) => {
      const request = { price_group, factor_basis_points, ...given(rest) };
      print(describe(await stack.requestAsOperator(catalogAdminRpc.setPriceFactor, request)));
    });
  group
    .command('assign <account-id> [price-group]')
    .option('--reason <reason>', 'stored with the change')
    .description('let an account pay the prices of a group; without one, the price list')
    .action(async (account_id: string, name: string | undefined, options: { reason?: string }) => {
      // Fails for a group that the catalog does not know.
      await stack.request(catalogAdminRpc.listAllModels, given({ price_group: name }));
      const request = { account_id, price_group: name ?? null, ...given(options) };
      print(describe(await stack.requestAsOperator(billingAdminRpc.setPriceGroup, request)));
    });
}

const withTime = (command: Command): Command =>
  command
    .option('--from <time>', 'when it begins, such as 2026-12-31T23:00:00Z; now if omitted')
    .option('--reason <reason>', 'stored with the change');

function addSize(text: string, sizes: Record<string, Micros> = {}): Record<string, Micros> {
  const [size = '', micros = ''] = text.split('=');
  return { ...sizes, [size]: wholeNumberOf('--size')(micros) };
}

function factorOf(text: string): number {
  if (!/^\d{1,2}(\.\d{1,4})?$/.test(text))
    throw new ApiError('invalid_body', '--factor must be a number with at most four decimals, such as 0.8.', {
      param: '--factor',
    });
  return Math.round(Number(text) * ONE);
}
