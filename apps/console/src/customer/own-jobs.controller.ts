import { Controller, Get, Query } from '@nestjs/common';
import { ownJobsRpc, type SearchJobsRequest, type UsageDetails } from '@kinora/contracts/jobs/own-jobs.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { queryOf } from '../http/query-fields';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KnownFiles, takeLinks } from './files/known-files';
import { KeyRights } from './key-rights';

export const JOB_SEARCH = ['words', 'kind', 'status', 'model', 'from', 'to', 'limit', 'cursor'] as const;
export const PERIOD = ['from', 'to'] as const;
const DEFAULT_LIMIT = 20;

/** Jobs and usage beyond the public API. The jobs service checks the values. */
@Controller('admin/v1/customer')
export class OwnJobsController {
  constructor(
    private readonly rights: KeyRights,
    private readonly files: KnownFiles,
  ) {}

  @Get('job-search')
  async search(
    @CurrentSession() session: Session,
    @Query() query: Record<string, unknown>,
  ): Promise<PartialList<object>> {
    const request = { limit: DEFAULT_LIMIT, ...queryOf(query, JOB_SEARCH) } as Omit<SearchJobsRequest, 'key_sha256'>;
    const { data, has_more, next_cursor } = await this.rights.request(ownJobsRpc.search, session, request);
    this.files.remember(session.id, takeLinks(data));
    return { data, has_more, next_cursor };
  }

  @Get('usage-details')
  showUsage(@CurrentSession() session: Session, @Query() query: Record<string, unknown>): Promise<UsageDetails> {
    return this.rights.request(ownJobsRpc.showUsage, session, queryOf(query, PERIOD));
  }
}
