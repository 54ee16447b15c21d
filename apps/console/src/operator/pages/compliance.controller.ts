import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { complianceRpc, type ComplianceReport } from '@kinora/contracts/moderation/compliance.rpc';
import { controllerOf, get } from './operator-route';

/** What marks, recognises and judges outputs. */
export const ComplianceController = controllerOf('ComplianceController', {
  showCompliance: get(
    'compliance',
    { summary: 'Show what marks and recognises outputs', needs: 'view' },
    async ({ bus }): Promise<ComplianceReport> => {
      const [marks, judged] = await Promise.all([
        bus.request(jobsAdminRpc.showMarks, {}),
        bus.request(complianceRpc.show, {}),
      ]);
      return { ...judged, lines: [...marks.lines, ...judged.lines] };
    },
  ),
});
