import { Controller, HttpCode, HttpStatus, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ProvenanceCheckBody } from '@kinora/contracts/jobs/provenance-check.body';
import { type ProvenanceCheck, provenanceRpc } from '@kinora/contracts/moderation/provenance.rpc';
import { CHECK_BODY_MAX_BYTES, CHECKED_FILE_MAX_BYTES } from '../body-limits';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { CheckFileProvenance } from './check-provenance.use-case';

@Controller('provenance')
export class ProvenanceController {
  constructor(private readonly checkFile: CheckFileProvenance) {}

  @Post('check')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({
    access: 'open',
    takesJson: true,
    files: CHECKED_FILE_MAX_BYTES,
    bodyMaxBytes: CHECK_BODY_MAX_BYTES,
    timeoutMs: 45_000,
  })
  @Operation({
    operationId: 'checkProvenance',
    tag: 'Service',
    summary: 'Check where a file comes from',
    description:
      'What the content credential (C2PA) in the file says, and whether this service has made the file or one that looks the same. Needs ' +
      'no key. The body is the file itself, a PNG, JPEG or WebP of at most 10 MiB or an MP4 of at most 64 MiB, or JSON that names an ' +
      'image. The file is not kept.',
    answers: { 200: 'What is known about the file.' },
    body: ProvenanceCheckBody,
    errors: [...provenanceRpc.check.errors],
  })
  check(@Req() request: FastifyRequest): Promise<ProvenanceCheck> {
    return this.checkFile.execute(request);
  }
}
