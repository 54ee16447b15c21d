import { type Egress, type EgressDownload, EgressError } from '@kinora/egress';
import { LoraProblem } from './lora-problem';
import { LENGTH_BYTES, MAX_HEADER_BYTES } from './safetensors-header';
import { SafetensorsCheck } from './safetensors-check';

/** Hubs of models redirect to their storage; longer chains are refused. */
const MAX_REDIRECTS = 3;
const HEADER_TIMEOUT_MS = 15_000;

export interface DownloadBounds {
  timeoutMs: number;
  maxBytes: number;
}

/** Downloads LoRAs from the URLs of clients. A file that is not in the safetensors format is not read beyond its first bytes. */
export class LoraDownload {
  constructor(private readonly egress: Egress) {}

  /**
   * The file, chunk by chunk. A read to the end without an error means that the file is complete and valid.
   * @throws LoraProblem
   */
  async *read(url: string, bounds: DownloadBounds): AsyncGenerator<Buffer> {
    const check = new SafetensorsCheck();
    for await (const chunk of this.chunks(url, bounds)) {
      check.see(chunk);
      yield chunk;
    }
    check.end();
  }

  /** Reads the header only, for backends that fetch the file themselves. @throws LoraProblem */
  async verify(url: string): Promise<void> {
    const check = new SafetensorsCheck();
    const maxBytes = LENGTH_BYTES + MAX_HEADER_BYTES;
    const range = `bytes=0-${maxBytes - 1}`;
    // A server without support for ranges sends the whole file; reading stops at the end of the header.
    for await (const chunk of this.chunks(
      url,
      { timeoutMs: HEADER_TIMEOUT_MS, maxBytes: Number.MAX_SAFE_INTEGER },
      range,
    )) {
      check.see(chunk);
      if (check.isHeaderRight) return;
    }
    check.end();
  }

  private async *chunks(url: string, bounds: DownloadBounds, range?: string): AsyncGenerator<Buffer> {
    try {
      const { body } = await this.begin(url, bounds, range);
      yield* body as AsyncIterable<Buffer>;
    } catch (error) {
      throw error instanceof EgressError ? toLoraProblem(error) : error;
    }
  }

  private async begin(url: string, bounds: DownloadBounds, range: string | undefined): Promise<EgressDownload> {
    const headers = range === undefined ? {} : { range };
    const download = await this.egress.fetch({ url, headers, maxRedirects: MAX_REDIRECTS, ...bounds });
    const { status } = download;
    if (status === 200 || (range !== undefined && status === 206)) return download;
    download.body.destroy();
    throw new LoraProblem(
      `The LoRA could not be fetched: the server answered ${status}.`,
      status < 500 && status !== 408 && status !== 429,
    );
  }
}

function toLoraProblem({ failure }: EgressError): LoraProblem {
  const isFinal = failure === 'blocked_address' || failure === 'too_large';
  return new LoraProblem(`The LoRA could not be fetched: ${failure}.`, isFinal);
}
