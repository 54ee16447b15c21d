import { type Egress, type EgressDownload, EgressError } from '@kinora/egress';
import { type LoraFault, LoraProblem } from './lora-problem';
import { LENGTH_BYTES, MAX_HEADER_BYTES, SafetensorsCheck } from './safetensors-check';

/** Hubs of models redirect to their storage; longer chains are refused. */
const MAX_REDIRECTS = 3;
/** A file that is large may take minutes, its first byte may not: the job holds a place at its instance meanwhile. */
const ANSWER_TIMEOUT_MS = 15_000;

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
    for await (const chunk of chunksOf(await this.begin(url, bounds))) {
      check.see(chunk);
      yield chunk;
    }
    check.end();
  }

  /** Reads the header only, for backends that fetch the file themselves. @throws LoraProblem */
  async verify(url: string): Promise<void> {
    const check = new SafetensorsCheck();
    const bounds = { timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: Number.MAX_SAFE_INTEGER };
    const download = await this.begin(url, bounds, `bytes=0-${LENGTH_BYTES + MAX_HEADER_BYTES - 1}`);
    // A server without support for ranges sends the whole file; reading stops at the end of the header.
    for await (const chunk of chunksOf(download)) {
      check.see(chunk);
      if (check.isHeaderRight) return check.compareLength(fileBytesOf(download));
    }
    check.end();
  }

  private async begin(url: string, bounds: DownloadBounds, range?: string): Promise<EgressDownload> {
    const headers = range === undefined ? {} : { range };
    const limits = { maxRedirects: MAX_REDIRECTS, answerTimeoutMs: ANSWER_TIMEOUT_MS, ...bounds };
    const download = await this.egress.fetch({ url, headers, ...limits }).catch(throwProblem('unreachable'));
    const { status } = download;
    if (status === 200 || (range !== undefined && status === 206)) return download;
    download.body.destroy();
    const isFinal = status < 500 && status !== 408 && status !== 429;
    const reason = `The LoRA could not be fetched: the server answered ${status}.`;
    throw new LoraProblem(reason, isFinal, isFinal ? 'refused' : 'unreachable');
  }
}

async function* chunksOf({ body }: EgressDownload): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throwProblem('cut off')(error);
  }
}

/** The length of the whole file, as far as the server says it. */
function fileBytesOf({ status, headers }: EgressDownload): number | null {
  const [length] = /\d+$/.exec(headers[status === 206 ? 'content-range' : 'content-length'] ?? '') ?? [];
  return length === undefined ? null : Number(length);
}

/** @param fault of a failure that a retry may overcome. */
function throwProblem(fault: LoraFault): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof EgressError)) throw error;
    const reason = `The LoRA could not be fetched: ${error.failure}.`;
    if (error.failure === 'blocked_address') throw new LoraProblem(reason, true, 'blocked address');
    if (error.failure === 'too_large') throw new LoraProblem(reason, true, 'too large');
    throw new LoraProblem(reason, false, fault);
  };
}
