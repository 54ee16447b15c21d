import { MEMBER_ROLES, type MemberRole, usersAdminRpc } from '@kinora/contracts/billing/users.rpc';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { describe } from '../output/report';

/** Adds the commands for people who sign in to accounts. */
export function addUserCommands(program: Command, { stack, print }: CommandContext): void {
  const account = program.commands.find((command) => command.name() === 'account');
  account
    ?.command('invite <account-id> <email>')
    .addOption(new Option('--role <role>', 'what the person may do').choices(MEMBER_ROLES).makeOptionMandatory())
    .option('--reason <text>', 'why, for the audit trail')
    .description('send a person an e-mail with a link to join the account')
    .action(async (account_id: string, email: string, options: { role: MemberRole; reason?: string }) => {
      print(describe(await stack.requestAsOperator(usersAdminRpc.invite, { account_id, email, ...options })));
    });
  const user = program.command('user').description('people who sign in to accounts');
  user
    .command('delete <email>')
    .option('--reason <text>', 'why, for the audit trail')
    .description('delete a person with memberships, links and e-mails; the accounts and their books stay')
    .action(async (email: string, options: { reason?: string }) => {
      print(describe(await stack.requestAsOperator(usersAdminRpc.deleteUser, { email, ...options })));
    });
}
