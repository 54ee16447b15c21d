/**
 * Links that grant read access to one object until, and not at, a moment. On a file system the gateway serves them. In
 * S3 they point to S3 itself, so that downloads do not pass through our processes.
 */
export abstract class DownloadLinks {
  /**
   * @throws ObjectStoreUnavailable if there is no credential to sign with, for example while a role's token cannot be
   * renewed. The same times give the same link, while the key or the credentials are the same.
   */
  abstract signLink(key: string, expiresAt: Date, now?: Date): Promise<string>;
}
