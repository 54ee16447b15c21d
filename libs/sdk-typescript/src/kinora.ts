import { AccountCalls, Deliveries, Events, Keys, Webhooks } from './account';
import { type ClientOptions, readSettings } from './client-settings.config';
import { Images, Videos } from './creations';
import { type DownloadOptions, type DownloadedFile, type Output, downloadBytes, downloadToFile } from './download';
import { Jobs } from './jobs';
import { ListCall, type Page } from './list-call';
import { Receipts } from './receipts';
import { toImageField } from './image-source';
import type { ImageSource, Lora, Model, Ping, ProvenanceCheck, Quote, QuoteRequest, Usage } from './resources';
import { type CallOptions, type Operation, Transport } from './transport';

/** A client of one installation with one key. */
export class Kinora {
  readonly #transport: Transport;
  readonly images: Images;
  readonly videos: Videos;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly account: AccountCalls;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly receipts: Receipts;

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(readSettings(options));
    this.#transport = transport;
    this.images = new Images(transport);
    this.videos = new Videos(transport);
    this.jobs = new Jobs(transport);
    this.events = new Events(transport);
    this.account = new AccountCalls(transport);
    this.keys = new Keys(transport);
    this.webhooks = new Webhooks(transport);
    this.deliveries = new Deliveries(transport);
    this.receipts = new Receipts(transport);
  }

  readonly models = {
    list: (options?: CallOptions): ListCall<Model> => new ListCall(this.#transport, '/models', {}, options),
  };

  readonly loras = {
    /** The LoRAs of the catalog; `byo_urls` of the page says whether the model takes addresses of others. */
    list: (filter: { model?: string } = {}, options?: CallOptions): ListCall<Lora, LoraPage> =>
      new ListCall<Lora, LoraPage>(this.#transport, '/loras', filter, options),
  };

  readonly usage = {
    get: (parameters: UsageParameters = {}, options?: CallOptions): Promise<Usage> =>
      this.#transport.request({ method: 'GET', path: '/usage', query: parameters }, options),
  };

  readonly provenance = {
    /** What is known about the origin of an image: its credential, and whether this service has made it. Needs no key. */
    check: async ({ image }: { image: ImageSource }, options?: CallOptions): Promise<ProvenanceCheck> => {
      const body = { image: await toImageField(image, 'image') };
      return this.#transport.request({ method: 'POST', path: '/provenance/check', body }, options);
    },
  };

  readonly quotes = {
    /** Has no effect and costs nothing; the id of the quote goes into the option `quote` of the creation. */
    create: (body: QuoteRequest, options?: CallOptions): Promise<Quote> =>
      this.#transport.request({ method: 'POST', path: '/quotes', body }, options),
  };

  ping(options?: CallOptions): Promise<Ping> {
    return this.#transport.request({ method: 'GET', path: '/ping' }, options);
  }

  /** Writes an output to `path`, which is complete or not there; without a path its bytes. */
  download(output: Output, path: string, options?: DownloadOptions): Promise<DownloadedFile>;
  download(output: Output, path?: undefined, options?: DownloadOptions): Promise<Uint8Array>;
  download(output: Output, path?: string, options?: DownloadOptions): Promise<DownloadedFile | Uint8Array> {
    return path === undefined
      ? downloadBytes(this.#transport, output, options)
      : downloadToFile(this.#transport, output, path, options);
  }

  /** Any other operation of the API. */
  request<Answer>(operation: Operation, options?: CallOptions): Promise<Answer> {
    return this.#transport.request(operation, options);
  }
}

export interface LoraPage extends Page<Lora> {
  model?: string;
  byo_urls?: boolean;
}

export interface UsageParameters {
  /** RFC 3339, or a date. 30 days before `to` without one. */
  from?: string;
  /** In the same form. Now without one. */
  to?: string;
  groupBy?: 'day' | 'model';
}
