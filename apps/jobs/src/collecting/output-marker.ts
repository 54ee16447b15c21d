import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { ImageProblem, prepareOutput } from '@kinora/images';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { markerFaults } from '../jobs.metrics';
import { httpMarker, type Marker, MarkerFault } from './http-marker';
import { sizeOf } from './output-file';

/** Four channels, the filter of each row, and what a PNG has besides its pixels. */
const BYTES_A_PIXEL = 5;
const HEAD_BYTES = 64 * 1024;

/**
 * Has watermarks written into the pixels of images. This is the first change of an output, before it is encoded, signed and stored, and so
 * before moderation judges it: what was judged, hashed and fingerprinted is then what the client downloads. A mark that follows the
 * verdict would be an image that the gate has never seen.
 */
@Injectable()
export class OutputMarker {
  private readonly marker: Marker;

  constructor(
    private readonly config: JobsConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {
    const isSet = config.markerUrl !== '';
    this.marker = isSet ? httpMarker(config) : () => Promise.reject(new MarkerFault('KINORA_MARKER_URL is not set.'));
  }

  /**
   * The image with a watermark, as PNG; null where the route asks for none, or the marker fails and may.
   * @throws ImageProblem for a damaged output; MarkerFault where outputs wait for the marker
   */
  async mark(made: Buffer, job: JobRow, { id: provider, provenance }: ComputeProvider): Promise<Buffer | null> {
    if (!isMarked(job, provider)) return null;
    const spec = { format: 'png', ...sizeOf(job.input), provenance } as const;
    const { bytes: png } = await prepareOutput(made, spec);
    try {
      const marked = await this.marker(png, BYTES_A_PIXEL * spec.width * spec.height + HEAD_BYTES);
      return await readMarked(marked, spec);
    } catch (error) {
      if (!(error instanceof MarkerFault)) throw error;
      const { markerFails: fails } = this.config;
      markerFaults.inc({ outcome: fails === 'open' ? 'stored' : 'delayed' });
      this.logger.error({ job_id: job.id, fails, reason: error.message }, 'output_not_marked');
      if (fails === 'closed') throw error;
      return null;
    }
  }
}

/** Whether the route by which a job came to this instance has a marker. */
export function isMarked({ plan }: Pick<JobRow, 'plan'>, provider: string): boolean {
  return plan.routes.some((route) => route.provider === provider && route.marker === 'http');
}

/** A marker is trusted as little as a backend. @throws MarkerFault for anything but an image of the same size */
async function readMarked(marked: Buffer, spec: Parameters<typeof prepareOutput>[1]): Promise<Buffer> {
  try {
    return (await prepareOutput(marked, spec)).bytes;
  } catch (error) {
    if (error instanceof ImageProblem)
      throw new MarkerFault(`The marker has answered with no such image: ${error.message}`);
    throw error;
  }
}
