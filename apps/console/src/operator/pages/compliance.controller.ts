import { complianceRpc } from '@kinora/contracts/moderation/compliance.rpc';
import { controllerOf, get } from './operator-route';

/** What marks, recognises and judges outputs. */
export const ComplianceController = controllerOf('ComplianceController', {
  showCompliance: get('compliance', { summary: 'Show what marks and recognises outputs', needs: 'view' }, ({ bus }) =>
    bus.request(complianceRpc.show, {}),
  ),
});
