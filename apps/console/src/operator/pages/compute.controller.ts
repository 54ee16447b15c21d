import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { BOOLEAN, REASON } from '../../http/fields';
import { controllerOf, get, patch } from './operator-route';

/** The compute instances, and the models that run on them. */
export const ComputeController = controllerOf('ComputeController', {
  showCompute: get('compute', { summary: 'Show the instances of backends', needs: 'view' }, ({ bus }) =>
    bus.request(jobsAdminRpc.showCompute, {}),
  ),
  /** Asks every instance, so it runs when an operator asks for it and never by itself. */
  examine: get('compute/examination', { summary: 'Examine every instance', needs: 'view' }, ({ bus }) =>
    bus.request(jobsRpc.examineProviders, {}),
  ),
  listModels: get('models', { summary: 'List models, also those that are switched off', needs: 'view' }, ({ bus }) =>
    bus.request(catalogAdminRpc.listAllModels, {}),
  ),
  switchModel: patch(
    'models/:id',
    {
      summary: 'Switch a model on or off',
      needs: 'switch_models',
      body: { enabled: BOOLEAN, reason: REASON },
      hasTextId: true,
    },
    async ({ audit, bus, by, params: { id: model }, body: { enabled, reason } }) => {
      const { data } = await bus.request(catalogAdminRpc.listAllModels, {});
      const known = data.find((each) => each.model.id === model);
      const before = known && { before: { enabled: known.enabled } };
      const entry = { action: 'switch_model', target: model, reason, ...before, after: { enabled } };
      return audit.run(by, entry, () => bus.request(catalogAdminRpc.setModelEnabled, { model, enabled }));
    },
  ),
});
