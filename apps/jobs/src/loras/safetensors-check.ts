import { type LoraFault, LoraProblem } from './lora-problem';
import { LENGTH_BYTES, fileLengthBy, readHeaderLength } from './safetensors-header';

/** Checks a safetensors file as a stream, and throws at the first byte that cannot be valid. */
export class SafetensorsCheck {
  private start: Buffer = Buffer.alloc(0);
  private bytes = 0;
  private fileBytes: number | null = null;

  /** Whether the header is complete and valid. */
  get isHeaderRight(): boolean {
    return this.fileBytes !== null;
  }

  /** @throws LoraProblem */
  see(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.fileBytes === null) this.fileBytes = this.seeHeader(chunk);
    if (this.fileBytes !== null && this.bytes > this.fileBytes) throw wrongLength('no safetensors file');
  }

  /** Compares the length by the header with the length that a server announces. @throws LoraProblem */
  compareLength(bytes: number | null): void {
    if (bytes === null || this.fileBytes === null || bytes === this.fileBytes) return;
    throw wrongLength(bytes < this.fileBytes ? 'cut off' : 'no safetensors file');
  }

  /** @throws LoraProblem if the file is shorter than its header says. */
  end(): void {
    // What has arrived so far was valid. Fewer bytes than the length of the header prove nothing.
    if (this.bytes !== this.fileBytes) throw wrongLength(this.bytes < LENGTH_BYTES ? 'no safetensors file' : 'cut off');
  }

  /** The length of the file once its header is complete, else null. */
  private seeHeader(chunk: Buffer): number | null {
    this.start = Buffer.concat([this.start, chunk]);
    if (this.start.length < LENGTH_BYTES) return null;
    const headerEnd = LENGTH_BYTES + readHeaderLength(this.start);
    if (this.start.length < headerEnd) return null;
    const fileBytes = fileLengthBy(this.start.subarray(LENGTH_BYTES, headerEnd));
    this.start = Buffer.alloc(0);
    return fileBytes;
  }
}

function wrongLength(fault: LoraFault): LoraProblem {
  const reason = 'The LoRA is not a safetensors file: its length differs from the length in its header.';
  return new LoraProblem(reason, true, fault);
}
