import { Controller, Get, Query } from '@nestjs/common';
import { ListRequests, type RequestPage, type RequestQuery } from '../requests/list-requests.query';
import { CurrentSession } from '../session/current-session.decorator';
import type { Session } from '../session/sessions';

/** The requests of the session's account. */
@Controller('admin/v1/customer/requests')
export class CustomerRequestsController {
  constructor(private readonly listRequests: ListRequests) {}

  @Get()
  list(@CurrentSession() { account_id }: Session, @Query() query: RequestQuery): Promise<RequestPage> {
    if (account_id === null) throw new Error('The session of a customer has no account.');
    return this.listRequests.execute(query, account_id);
  }
}
