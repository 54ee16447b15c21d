import { Module } from '@nestjs/common';
import { UsageRepository } from './usage.repository';
import { GetUsage, VerifyUsage } from './use-cases/get-usage.query';

const providers = [UsageRepository, GetUsage, VerifyUsage];

/** The usage of accounts, summed over their jobs. */
@Module({
  providers,
  exports: providers,
})
export class UsageModule {}
