import { Module } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { SessionModule } from '../session/session.module';
import { OperatorBus } from './operator-bus';

/** The operators' half of the console. The process's own connection has its rights, alone and beside the customer half. */
@Module({
  imports: [SessionModule],
  providers: [{ provide: OperatorBus, useExisting: Bus }],
})
export class OperatorModule {}
