import { Controller, Get, Query } from '@nestjs/common';
import type { ListQuery } from '../http/query-fields';
import { ListRequests, type RequestPage } from '../requests/list-requests.query';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KeyRights } from './key-rights';

/** The requests of the session's account. */
@Controller('admin/v1/customer/requests')
export class CustomerRequestsController {
  constructor(
    private readonly listRequests: ListRequests,
    private readonly rights: KeyRights,
  ) {}

  @Get()
  async list(@CurrentSession() session: Session, @Query() query: ListQuery): Promise<RequestPage> {
    return this.listRequests.execute(query, await this.rights.assert(session, 'read'));
  }
}
