/** No object exists under the key. */
export class ObjectNotFound extends Error {
  override readonly name = 'ObjectNotFound';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super('There is no such object.', options);
  }
}

/** The store itself failed: full, unreachable, or access denied. A retry may succeed. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';

  constructor(options: ErrorOptions) {
    super('The object store is not available.', options);
  }
}
