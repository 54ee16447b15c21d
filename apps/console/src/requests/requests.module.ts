import { Module } from '@nestjs/common';
import { ListRequests } from './list-requests.query';
import { RequestLogRepository } from './request-log.repository';

/** The request log, which both halves read. The operators' half stores it. */
@Module({
  providers: [RequestLogRepository, ListRequests],
  exports: [RequestLogRepository, ListRequests],
})
export class RequestsModule {}
