import { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreConfig } from './object-store.config';

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
