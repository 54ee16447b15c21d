import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Receipt } from '@kinora/contracts/jobs/receipt';
import { AddressedJob } from '../http/addressed-job.decorator';
import { Operation } from '../reference/operation.decorator';

@Controller('jobs')
export class ReceiptsController {
  constructor(private readonly bus: Bus) {}

  @Get(':id/receipt')
  @Operation({
    operationId: 'getReceipt',
    tag: 'Jobs',
    summary: 'Get the receipt of an ended job',
    description:
      'A signed statement: what was requested, how the price came about, what was reserved, charged or refunded, and which ' +
      'decisions moderation made. It outlives the outputs and the content of the job. Verify `jws` with the keys at ' +
      '`/.well-known/jwks.json`, beside `/v1`, by any JOSE library or by `kinora receipt verify`.',
    answers: { 200: 'The receipt.' },
    errors: jobsRpc.getReceipt.errors,
  })
  get(@AddressedJob() ref: JobRef): Promise<Receipt> {
    return this.bus.request(jobsRpc.getReceipt, ref);
  }
}
