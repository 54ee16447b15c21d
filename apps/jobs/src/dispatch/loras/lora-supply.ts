import { Injectable } from '@nestjs/common';
import { ProviderRegistry, type TaskLora } from '@kinora/compute';
import { Egress } from '@kinora/egress';
import { JobsConfig } from '../../jobs.config';
import { LoraDownload } from './lora-download';
import { LoraFolder } from './lora-folder';
import { LoraProblem } from './lora-problem';

/** How long an address is assumed to hold the same content: long enough for a series of jobs, short enough for a new version. */
const SAME_CONTENT_MS = 3_600_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** Bounds the memory for verified addresses, because clients choose the addresses. */
const MAX_VERIFIED = 10_000;

/** Supplies an instance with the LoRAs of a task: as checked files if it shares a folder with jobs, otherwise as checked URLs. */
@Injectable()
export class LoraSupply {
  private readonly download: LoraDownload;
  private readonly folders = new Map<string, LoraFolder>();
  private readonly underWay = new Map<string, Promise<string>>();
  private readonly verifiedAtMs = new Map<string, number>();

  constructor(
    egress: Egress,
    private readonly config: JobsConfig,
    private readonly providers: ProviderRegistry,
  ) {
    this.download = new LoraDownload(egress);
  }

  /** `untilMs` is when the task has ended for certain. @throws LoraProblem */
  async supply(loras: TaskLora[], providerId: string, untilMs: number): Promise<TaskLora[]> {
    const instance = this.providers.findInstance(providerId);
    // Tasks that are drawn by code use no files.
    if (!instance || instance.provider.provenance === 'algorithmicMedia') return loras;
    const { loraDir } = instance;
    const get = (url: string): Promise<string | undefined> =>
      loraDir === null ? this.verify(url) : this.getFile(url, loraDir, untilMs);
    return await Promise.all(
      loras.map(async (lora, index) => {
        const { id, url, low_url: lowUrl = url, file: stored } = lora;
        // A file that the operator has stored is loaded by its name.
        if (url === undefined || lowUrl === undefined || stored !== undefined) return lora;
        // An address of the catalog is the operator's, so its fault is not shown to the client.
        const fieldOf = (name: string): string | null => (id === undefined ? `loras[${index}].${name}` : null);
        const [file, lowFile] = await Promise.all([
          get(url).catch(naming(fieldOf('url'))),
          lowUrl === url ? undefined : get(lowUrl).catch(naming(fieldOf('low_url'))),
        ]);
        if (file === undefined) return lora;
        return { ...lora, file, ...(lora.low_url === undefined ? {} : { low_file: lowFile ?? file }) };
      }),
    );
  }

  /** Many jobs that need one file at the same time share one download. */
  private async getFile(url: string, dir: string, untilMs: number): Promise<string> {
    const folder = this.folder(dir);
    const needed = { maxAgeMs: SAME_CONTENT_MS, untilMs };
    const key = `${dir} ${url}`;
    const found = await folder.find(url, needed);
    if (found !== null) return found;
    const known = this.underWay.get(key);
    if (known) {
      await known;
      // Kept for the time of the other job so far; this job may need it longer.
      return (await folder.find(url, needed)) ?? (await known);
    }
    const bounds = { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: this.config.maxLoraMb * 1024 * 1024 };
    const stored = folder.store(url, this.download.read(url, bounds), untilMs);
    this.underWay.set(key, stored);
    try {
      return await stored;
    } finally {
      this.underWay.delete(key);
    }
  }

  /** For a backend that fetches the file itself. */
  private async verify(url: string): Promise<undefined> {
    const verifiedAtMs = this.verifiedAtMs.get(url);
    if (verifiedAtMs !== undefined && performance.now() - verifiedAtMs < SAME_CONTENT_MS) return;
    await this.download.verify(url);
    if (this.verifiedAtMs.size >= MAX_VERIFIED) this.verifiedAtMs.clear();
    this.verifiedAtMs.set(url, performance.now());
  }

  private folder(dir: string): LoraFolder {
    const known = this.folders.get(dir) ?? new LoraFolder(dir, this.config.loraFolderMb * 1024 * 1024);
    this.folders.set(dir, known);
    return known;
  }
}

/** Adds the client's field to a problem. Jobs that share a download get a problem each. */
function naming(field: string | null): (error: unknown) => never {
  return (error) => {
    throw error instanceof LoraProblem ? error.in(field) : error;
  };
}
