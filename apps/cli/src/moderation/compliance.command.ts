import type { Command } from 'commander';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { complianceRpc } from '@kinora/contracts/moderation/compliance.rpc';
import type { CommandContext } from '../command-context';
import { formatTable } from '../output/report';

/** Adds the command that shows what marks, recognises and judges outputs. */
export function addComplianceCommand(program: Command, { stack, print }: CommandContext): void {
  program
    .command('compliance')
    .description('what marks, recognises and judges outputs, and what each is for')
    .action(async () => {
      const [marks, judged] = await Promise.all([
        stack.request(jobsAdminRpc.showMarks, {}),
        stack.request(complianceRpc.show, {}),
      ]);
      const report = { ...judged, lines: [...marks.lines, ...judged.lines] };
      const table = formatTable(report.lines, ['subject', 'state', 'purpose']);
      print({ value: report, text: `${table}\nDuties and settings: ${report.guide}. This is no legal advice.` });
    });
}
