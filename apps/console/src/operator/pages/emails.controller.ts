import { emailRpc } from '@kinora/contracts/billing/email.rpc';
import { page } from '../../http/query-fields';
import { controllerOf, get } from './operator-route';

/** What was sent to customers. On a trial stack the texts hold links that sign in, hence the permission. */
export const EmailsController = controllerOf('EmailsController', {
  list: get(
    'emails',
    { summary: 'List the e-mails of the last week', needs: 'open_portal', query: ['cursor'] },
    ({ bus, query }) => page(bus.request(emailRpc.list, query)),
  ),
});
