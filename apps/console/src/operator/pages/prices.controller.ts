import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { page } from '../../http/query-fields';
import { AMOUNTS, INTEGER, OPTIONAL_INTEGER, optional, REASON, text } from '../../http/fields';
import { controllerOf, get, post } from './operator-route';

const FROM = optional(text(64, { type: 'string', format: 'date-time' }));

/** What models cost, and for which accounts. The catalog decides. */
export const PricesController = controllerOf('PricesController', {
  listChanges: get(
    'price-changes',
    { summary: 'List what was set about prices', needs: 'view', query: ['model', 'cursor'] },
    ({ bus, query }) => page(bus.request(catalogAdminRpc.listPriceChanges, query)),
  ),
  listGroups: get('price-groups', { summary: 'List the price groups', needs: 'view' }, ({ bus }) =>
    page(bus.request(catalogAdminRpc.listPriceGroups, {})),
  ),
  setPrice: post(
    'models/:id/prices',
    {
      summary: 'Set the price of a model; without micros, that of the catalog holds again',
      needs: 'change_money',
      isConfirmed: true,
      hasTextId: true,
      body: {
        micros: OPTIONAL_INTEGER,
        micros_by_size: optional(AMOUNTS),
        price_group: optional(text(64)),
        from: FROM,
        reason: REASON,
      },
    },
    async ({ audit, bus, by, params: { id: model }, body: { reason, micros = null, ...set } }) => {
      const group = set.price_group === undefined ? {} : { price_group: set.price_group };
      const { data } = await bus.request(catalogAdminRpc.listAllModels, group);
      const known = data.find((each) => each.model.id === model);
      const { micros: price_micros = null } = known?.model.price ?? {};
      const before = { price_micros, micros_by_size: known?.micros_by_size ?? {} };
      const after = { price_micros: micros, ...set };
      return audit.run(by, { action: 'set_price', target: model, reason, before, after }, () =>
        bus.request(catalogAdminRpc.setPrice, { model, micros, ...set, reason, actor: by.email }),
      );
    },
  ),
  setFactor: post(
    'price-groups/:id/factors',
    {
      summary: 'Set the factor of a price group; the first one makes the group',
      needs: 'change_money',
      isConfirmed: true,
      hasTextId: true,
      body: { factor_basis_points: INTEGER, from: FROM, reason: REASON },
    },
    async ({ audit, bus, by, params: { id: price_group }, body: { reason, ...after } }) => {
      const { data } = await bus.request(catalogAdminRpc.listPriceGroups, {});
      const known = data.find((each) => each.price_group === price_group);
      const before = known && { before: { factor_basis_points: known.factor_basis_points } };
      return audit.run(by, { action: 'set_price_factor', target: price_group, reason, ...before, after }, () =>
        bus.request(catalogAdminRpc.setPriceFactor, { price_group, ...after, reason, actor: by.email }),
      );
    },
  ),
});
