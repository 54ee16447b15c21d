/**
 * Links under which anybody may read one object until a moment, and not in it. On a file system the gateway serves them; in
 * S3 they lead to S3 itself, so that no byte of a download passes through our processes.
 */
export abstract class DownloadLinks {
  /** @throws ObjectStoreUnavailable when there is nothing to sign with, as while a role's token cannot be renewed. */
  abstract signLink(key: string, expiresAt: Date): Promise<string>;
}
