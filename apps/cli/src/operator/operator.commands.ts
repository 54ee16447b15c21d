import { OPERATOR_ROLES, type OperatorRole, operatorsRpc } from '@kinora/contracts/console/operators.rpc';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { describe, tabulate } from '../output/report';

/** Adds the commands for the people who sign in to the operators' half of the console. */
export function addOperatorCommands(program: Command, { stack, print }: CommandContext): void {
  const operator = program.command('operator').description('people who sign in to the console as operators');
  operator
    .command('add <email>')
    .addOption(new Option('--role <role>', 'what they may do').choices(OPERATOR_ROLES).makeOptionMandatory())
    .description('add an operator, and print the link by which the password is set, shown this once')
    .action(async (email: string, { role }: { role: OperatorRole }) => {
      const added = await stack.requestAsOperator(operatorsRpc.add, { email, role });
      print(describe({ ...added.operator, setup_url: added.setup_url }));
    });
  operator
    .command('list')
    .description('all operators, including the disabled ones')
    .action(async () => {
      const operators = await stack.request(operatorsRpc.list, {});
      print(tabulate(operators, ['email', 'role', 'sign_in', 'created_by', 'created_at', 'disabled_at']));
    });
  for (const [verb, disabled, description] of [
    ['disable', true, 'end all sessions of an operator and refuse further ones'],
    ['enable', false, 'permit an operator to sign in again'],
  ] as const) {
    operator
      .command(`${verb} <email>`)
      .description(description)
      .action(async (email: string) => {
        print(describe(await stack.requestAsOperator(operatorsRpc.setDisabled, { email, disabled })));
      });
  }
}
