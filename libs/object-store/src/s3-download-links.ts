import { basename } from 'node:path';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { DownloadLinks } from './download-links';
import { assertObjectKey } from './object-key';
import { ObjectStoreUnavailable } from './object-store-error';
import type { ObjectStoreConfig } from './object-store.config';
import { type S3Place, createS3Client, placeOf } from './s3-place';

/**
 * Links that S3 itself verifies and serves. They are signed on the bare request: the SDK's presigner builds a whole
 * command for each link, which takes seven times as long, and a page of jobs has hundreds of links.
 */
export class S3DownloadLinks extends DownloadLinks {
  private readonly place: S3Place;
  private readonly presigner: S3RequestPresigner;
  private readonly bucketUrl: URL;

  constructor(config: ObjectStoreConfig) {
    super();
    const endpoint = config.s3PublicEndpoint || config.s3Endpoint;
    const { config: resolved } = createS3Client(config);
    this.place = placeOf(config);
    this.presigner = new S3RequestPresigner(resolved);
    this.bucketUrl = resolved.endpointProvider({
      ...{ Bucket: this.place.bucket, Region: config.s3Region, ForcePathStyle: config.s3PathStyle },
      ...(endpoint !== '' && { Endpoint: endpoint }),
    }).url;
  }

  override async signLink(key: string, expiresAt: Date, now = new Date()): Promise<string> {
    assertObjectKey(key);
    const { protocol, hostname, port, pathname } = this.bucketUrl;
    // Both are rounded down to the second, the resolution of such a link, so that it never outlives its expiry.
    const signingDate = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const expiresIn = Math.floor((expiresAt.getTime() - signingDate.getTime()) / 1000);
    const path = `${pathname.replace(/\/$/, '')}/${this.place.keyPrefix}${key}`;
    const request = {
      ...{ method: 'GET', protocol, hostname, path, headers: {}, ...(port !== '' && { port: Number(port) }) },
      // The same header that the gateway sends: a browser saves the file and does not render it.
      query: { 'response-content-disposition': `attachment; filename="${basename(key)}"`, 'x-id': 'GetObject' },
    };
    try {
      const { query = {} } = await this.presigner.presign(request, { signingDate, expiresIn });
      return `${this.bucketUrl.origin}${path}?${new URLSearchParams(query as Record<string, string>).toString()}`;
    } catch (cause) {
      throw new ObjectStoreUnavailable({ cause });
    }
  }
}
