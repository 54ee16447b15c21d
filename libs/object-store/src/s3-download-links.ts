import { basename } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { assertObjectKey, ObjectStoreUnavailable } from './object-store';
import type { ObjectStoreConfig } from './object-store.config';
import { DownloadLinks } from './url-signer';

/** Where in S3 the objects of an installation are stored. */
export interface S3Place {
  bucket: string;
  /** Empty, or ends in a slash. */
  keyPrefix: string;
}

export function placeOf({ s3Bucket, s3Prefix }: ObjectStoreConfig): S3Place {
  return { bucket: s3Bucket, keyPrefix: s3Prefix === '' ? '' : `${s3Prefix}/` };
}

export function createS3Client(config: ObjectStoreConfig): S3Client {
  const { s3Endpoint: endpoint, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  return new S3Client({
    region: config.s3Region,
    forcePathStyle: config.s3PathStyle,
    ...(endpoint !== '' && { endpoint }),
    ...(accessKeyId !== '' && { credentials: { accessKeyId, secretAccessKey } }),
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    // Many S3 implementations do not support the SDK's own checksums; the signature covers the body in any case.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

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
