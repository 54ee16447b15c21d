import { ownJobsRpc, type SearchJobsRequest } from '@kinora/contracts/jobs/own-jobs.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { PAGE, REQUESTS } from '../http/query-fields';
import { controllerOf, get } from './customer-route';
import { takeLinks } from './files/known-files';

const PERIOD = ['from', 'to'] as const;
const FILTERS = ['words', 'kind', 'status', 'model', ...PERIOD, ...PAGE] as const;
const DEFAULT_LIMIT = 20;

/** Jobs and usage beyond the public API. The jobs service checks the values. */
export const OwnJobsController = controllerOf('OwnJobsController', {
  search: get(
    'job-search',
    { summary: 'Find jobs of the account', query: FILTERS },
    async ({ ask, files, query, session }): Promise<PartialList<object>> => {
      const request = { limit: DEFAULT_LIMIT, ...query } as Omit<SearchJobsRequest, 'key_sha256'>;
      const { data, has_more, next_cursor } = await ask(ownJobsRpc.search, request);
      files.remember(session.id, takeLinks(data));
      return { data, has_more, next_cursor };
    },
  ),
  showUsage: get(
    'usage-details',
    { summary: 'Show spend by day and model, and how long jobs took', query: PERIOD },
    ({ ask, query }) => ask(ownJobsRpc.showUsage, query),
  ),
});

/** The requests of the session's account. */
export const CustomerRequestsController = controllerOf('CustomerRequestsController', {
  list: get(
    'requests',
    { summary: 'List the requests of the account', query: REQUESTS },
    async ({ listRequests, rawQuery, rights, session }) =>
      listRequests.execute(rawQuery, await rights.assert(session, 'read')),
  ),
});
