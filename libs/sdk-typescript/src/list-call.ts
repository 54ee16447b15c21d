import type { CallOptions, Transport } from './transport';

/** A page as the API returns it. Lists without pages have neither `has_more` nor `next_cursor`. */
export interface Page<Item> {
  data: Item[];
  has_more?: boolean;
  next_cursor?: string | null;
}

/**
 * A list: `await` gives its first page, `for await` all items. A further page is requested when the items before it are used up.
 */
export class ListCall<Item, FirstPage extends Page<Item> = Page<Item>>
  implements PromiseLike<FirstPage>, AsyncIterable<Item>
{
  private first: Promise<FirstPage> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly query: object,
    private readonly options: CallOptions = {},
    /** The parameter that takes `next_cursor`. */
    private readonly cursor: 'cursor' | 'after' = 'cursor',
  ) {}

  then<Result = FirstPage, Failure = never>(
    onPage?: ((page: FirstPage) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.first ??= this.read(this.query);
    return this.first.then(onPage, onError);
  }

  /** All pages, in their order. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> = await this;
    yield page;
    while (page.has_more && page.next_cursor) {
      page = await this.read({ ...this.query, [this.cursor]: page.next_cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  private read(query: object): Promise<FirstPage> {
    return this.transport.request({ method: 'GET', path: this.path, query }, this.options);
  }
}
