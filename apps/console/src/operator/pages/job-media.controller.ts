import { Controller, Get, Param, ParseIntPipe, ParseUUIDPipe, Res, StreamableFile } from '@nestjs/common';
import { makeThumbnail } from '@kinora/images';
import type { JobOutput } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyReply } from 'fastify';
import { FileClient } from '../../http/file-client';
import { AuditTrail } from '../audit/audit-trail';
import { OperatorBus } from '../operator-bus';
import { CurrentOperator, type Operator } from '../users/operator';
import { Requires } from '../users/permissions';

/** So few pixels that a page shows colours and shapes, and no face. */
const BLURRED_WIDTH_PX = 24;
const IMAGE_MAX_BYTES = 32 * 1024 * 1024;
const READ_WITHIN_MS = 20_000;

/** Outputs of jobs, blurred. Each view stands in the audit trail. */
@Controller('admin/v1/operator/jobs/:id/media')
export class JobMediaController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
    private readonly files: FileClient,
  ) {}

  @Get(':number')
  @Requires('view_media')
  async show(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) job_id: string,
    @Param('number', ParseIntPipe) number: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { account_id, job } = await this.bus.request(jobsRpc.show, { job_id });
    const link = imageLinkOf(job.output, number);
    const entry = { action: 'view_media', target: job_id, account_id, after: { number } };
    const blurred = await this.audit.run(by, entry, async () =>
      makeThumbnail(await this.read(link), BLURRED_WIDTH_PX).catch(() => {
        throw new ApiError('not_found', 'The output cannot be shown.');
      }),
    );
    void reply.header('Cache-Control', 'no-store');
    return new StreamableFile(blurred, { type: 'image/webp' });
  }

  private async read(link: string): Promise<Buffer> {
    const answer = await this.files.open(link, {}, AbortSignal.timeout(READ_WITHIN_MS));
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > IMAGE_MAX_BYTES) answer.destroy(new Error('the file is too large'));
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/** @throws ApiError not_found for a video, or an output that does not exist any more */
function imageLinkOf(output: JobOutput | null, number: number): string {
  const images = output !== null && 'images' in output ? output.images : [];
  const url = images[number]?.url ?? null;
  if (url === null) throw new ApiError('not_found', `The job has no image ${number}.`);
  return url;
}
