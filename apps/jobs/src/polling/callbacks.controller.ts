import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type BackendCallback, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ReceiveCallback } from './use-cases/receive-callback.use-case';

/** Callbacks of compute backends. */
@Controller()
export class CallbacksController {
  constructor(private readonly receiveCallback: ReceiveCallback) {}

  @Handles(jobsRpc.receiveCallback)
  receive(callback: BackendCallback): Promise<Record<string, never>> {
    return this.receiveCallback.execute(callback);
  }
}
