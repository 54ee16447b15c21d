import { Module } from '@nestjs/common';
import { ListRequests } from './list-requests.query';
import { RequestLogRepository } from './request-log.repository';
import { RequestsController } from './requests.controller';
import { StoreRequests } from './store-requests';

/** The request log: stored by every process, read by both halves. */
@Module({
  controllers: [RequestsController],
  providers: [RequestLogRepository, StoreRequests, ListRequests],
  exports: [ListRequests],
})
export class RequestsModule {}
