import { IsBoolean, IsIn, IsNotEmpty, IsUrl, Matches, ValidateIf } from 'class-validator';
import { Setting } from '@kinora/service-kit';

const onFileSystem = ({ driver }: ObjectStoreConfig): boolean => driver === 'filesystem';
const onS3 = ({ driver }: ObjectStoreConfig): boolean => driver === 's3';
const isGiven = (_: ObjectStoreConfig, value: unknown): boolean => value !== '';
const hasCredentials = ({ s3AccessKeyId, s3SecretAccessKey }: ObjectStoreConfig): boolean =>
  `${s3AccessKeyId}${s3SecretAccessKey}` !== '';

const HTTP_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/**
 * Where inputs and outputs are stored; the same at the gateway, jobs and moderation. Installations must not share a
 * location.
 */
export class ObjectStoreConfig {
  @Setting({ env: 'KINORA_OBJECT_STORE', description: 'Where inputs and outputs are stored: filesystem or s3.' })
  @IsIn(['filesystem', 's3'])
  driver: 'filesystem' | 's3' = 'filesystem';

  @Setting({
    env: 'KINORA_OBJECT_STORE_DIR',
    description: 'For filesystem: the folder, which the gateway, jobs and moderation share.',
  })
  @ValidateIf(onFileSystem)
  @IsNotEmpty()
  dir = '';

  @Setting({
    env: 'KINORA_S3_BUCKET',
    description: 'For s3: the bucket. Without versioning or object lock, which would keep deleted objects.',
  })
  @ValidateIf(onS3)
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: 'must be the name of a bucket' })
  s3Bucket = '';

  @Setting({ env: 'KINORA_S3_REGION', description: 'For s3: the region of the bucket.' })
  @ValidateIf(onS3)
  @Matches(/^[a-z0-9-]+$/, { message: 'must be the name of a region' })
  s3Region = 'us-east-1';

  @Setting({ env: 'KINORA_S3_ENDPOINT', description: 'For s3: address of the service; empty means that of AWS.' })
  @ValidateIf(isGiven)
  @IsUrl(HTTP_ADDRESS)
  s3Endpoint = '';

  @Setting({
    env: 'KINORA_S3_PUBLIC_ENDPOINT',
    description: 'For s3: address of the service in download links, if clients reach it under a different one.',
  })
  @ValidateIf(isGiven)
  @IsUrl(HTTP_ADDRESS)
  s3PublicEndpoint = '';

  @Setting({
    env: 'KINORA_S3_PATH_STYLE',
    description:
      'For s3: whether the bucket is part of the path instead of the host name, as most services other than AWS require.',
  })
  @IsBoolean()
  s3PathStyle = false;

  @Setting({
    env: 'KINORA_S3_PREFIX',
    description: 'For s3: folder in the bucket, without slashes around it; it must not hold anything else.',
  })
  @Matches(/^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/, { message: 'must be a folder' })
  s3Prefix = '';

  @Setting({
    env: 'KINORA_S3_ACCESS_KEY_ID',
    description: "For s3: access key; empty means the platform's own credentials (a role, a token, a profile).",
    secret: true,
  })
  @ValidateIf(hasCredentials)
  @IsNotEmpty()
  s3AccessKeyId = '';

  @Setting({ env: 'KINORA_S3_SECRET_ACCESS_KEY', description: 'For s3: secret of the access key.', secret: true })
  @ValidateIf(hasCredentials)
  @IsNotEmpty()
  s3SecretAccessKey = '';
}
