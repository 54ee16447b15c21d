import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatFields } from '../output/format-fields';
import { formatTable } from '../output/format-table';
import { describe } from '../output/report';
import { readJsonFile, readJsonFrom } from './read-json';
import { verifyReceipt } from './verify-receipt';

/** Adds the commands for receipts and for the keys that sign them. */
export function addReceiptCommands(program: Command, context: CommandContext): void {
  const receipt = program.command('receipt').description('signed receipts of ended jobs, and their keys');
  addVerify(receipt, context);
  addKeys(receipt, context);
}

/** Needs no stack: the keys come from an address or, offline, from a file. */
function addVerify(receipt: Command, { print }: CommandContext): void {
  receipt
    .command('verify')
    .argument('<file>', 'a receipt, as GET /v1/jobs/{id}/receipt answers it')
    .requiredOption('--jwks <url|file>', 'the public keys: https://…/.well-known/jwks.json, or a file with that set')
    .description('whether a key of the set has signed exactly this receipt; exits 1 if not')
    .action(async (file: string, { jwks }: { jwks: string }) => {
      const stated = readJsonFile(file, 'file');
      const verdict = verifyReceipt(stated, await readJsonFrom(jwks, '--jwks'));
      print({ value: verdict, text: formatFields(verdict), failed: !verdict.ok });
    });
}

function addKeys(receipt: Command, { stack, print }: CommandContext): void {
  receipt
    .command('keys')
    .description('the public keys of receipts, newest first, with those that were withdrawn')
    .action(async () => {
      const { keys } = await stack.request(jobsRpc.listReceiptKeys, { with_withdrawn: true });
      print({ value: { data: keys }, text: formatTable(keys, ['kid', 'created_at', 'withdrawn_at']) });
    });
  receipt
    .command('withdraw-key')
    .argument('<kid>')
    .description(
      'publish a leaked key no more: receipts that it signed prove nothing; fetch them again for a new signature',
    )
    .action(async (kid: string) => {
      print(describe(await stack.request(jobsAdminRpc.withdrawReceiptKey, { kid })));
    });
}
