import { Controller, Delete } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { AddressedJob } from '../http/addressed-job.decorator';
import { Operation } from '../reference/operation.decorator';

@Controller('jobs')
export class JobDeletionsController {
  constructor(private readonly bus: Bus) {}

  @Delete(':id/outputs')
  @Operation({
    operationId: 'deleteJobOutputs',
    tag: 'Jobs',
    summary: 'Delete the outputs of a job',
    description:
      'Deletes the files of an ended job before the response, and answers the job with `url: null` in each output. After a 503 ' +
      'repeat the request. A repeat is no error.',
    answers: { 200: 'The job, without links to its outputs.' },
    errors: jobsRpc.deleteOutputs.errors,
  })
  deleteOutputs(@AddressedJob() ref: JobRef): Promise<Job> {
    return this.bus.request(jobsRpc.deleteOutputs, ref);
  }

  @Delete(':id/content')
  @Operation({
    operationId: 'deleteJobContent',
    tag: 'Jobs',
    summary: 'Delete the content of a job',
    description:
      'Deletes the outputs and the input images of an ended job, and every text and address that its request contained: prompts, ' +
      '`metadata`, URLs of LoRAs and `webhook_url`. What remains are the id, the states, the amounts, hashes, and parameters such as ' +
      'the model, the size and the seed; a required `prompt` is empty. Webhooks that are still due, and the event feed, carry what ' +
      'remains. After a 503 repeat the request. A repeat is no error.',
    answers: { 200: 'What remains of the job.' },
    errors: jobsRpc.deleteContent.errors,
  })
  deleteContent(@AddressedJob() ref: JobRef): Promise<Job> {
    return this.bus.request(jobsRpc.deleteContent, ref);
  }
}
