import { IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import type { CredentialProgram } from '@kinora/credentials';
import { ObjectStoreConfig } from '@kinora/object-store';
import {
  type BackgroundProgram,
  DatabaseServiceConfig,
  type Environment,
  Setting,
  SettingGroup,
} from '@kinora/service-kit';
import { BUILT_IN_DECODER, type NodeProgram } from '@kinora/videos';

export class ModerationConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description:
      "Folder of the operator's files; moderation.yaml in it adds engines, hash lists and terms. Empty means none.",
  })
  @IsString()
  configDir = '';

  /** Not a setting: the variables for `${NAME}` in the operator's file. */
  environment: Environment = process.env;

  @Setting({
    env: 'KINORA_STRIKE_LIMIT',
    description: 'Strikes within the window from which on an account is suspended; a strike is a blocked output.',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  strikeLimit = 5;

  @Setting({ env: 'KINORA_STRIKE_WINDOW_DAYS', description: 'Days for which a strike counts.' })
  @IsInt()
  @Min(1)
  @Max(3_650)
  strikeWindowDays = 30;

  @Setting({
    env: 'KINORA_MODERATION_DECODES',
    description:
      'Images, and beside them videos, that one process decodes at once; 0 means as many as it has cores, at most 4. An image of 4096 pixels a side takes up to 140 MB while it is decoded.',
  })
  @IsInt()
  @Min(0)
  @Max(64)
  decodesAtOnce = 0;

  @Setting({
    env: 'KINORA_MODERATION_FILES_MAX_BYTES',
    description:
      'Bytes of the images and videos that one process holds to judge them; more wait, no longer than their callers do. The largest video has 64 MiB.',
  })
  @IsInt()
  @Min(16 * 1024 * 1024)
  @Max(16 * 1024 * 1024 * 1024)
  filesMaxBytes = 128 * 1024 * 1024;

  @Setting({
    env: 'KINORA_FINGERPRINT_RETENTION_DAYS',
    description:
      'Days for which an output is recognised by its fingerprint, also after its file and its job were deleted.',
  })
  @IsInt()
  @Min(1)
  @Max(36_500)
  fingerprintRetentionDays = 3_650;

  @Setting({
    env: 'KINORA_DECISION_RETENTION_DAYS',
    description:
      'Days after which a month of decisions is dropped as a whole; 0 keeps them for ever. At least 31, because a customer may appeal for 30 days.',
  })
  @ValidateIf(({ decisionRetentionDays }: ModerationConfig) => decisionRetentionDays !== 0)
  @IsInt()
  @Min(31)
  @Max(36_500)
  decisionRetentionDays = 0;

  @SettingGroup(ObjectStoreConfig)
  objectStore = new ObjectStoreConfig();

  @Setting({
    env: 'FFMPEG_PATH',
    description:
      'Program that decodes videos; empty means the ffmpeg on PATH, or the built-in decoder (ffmpeg as WebAssembly) without one.',
  })
  @IsString()
  ffmpegPath = '';

  /** Not a setting: the path of the built-in decoder depends only on how this program was compiled. */
  builtInDecoder: NodeProgram = BUILT_IN_DECODER;

  @Setting({
    env: 'KINORA_C2PA_CERTIFICATE',
    description:
      'PEM of the certificates with which outputs are or were signed, each followed by its issuer: a check of a file says of these that they are ours. Outputs in the registry of fingerprints need none.',
  })
  @IsString()
  ownCertificates = '';

  @Setting({
    env: 'KINORA_C2PA_TRUSTED_ROOTS',
    description:
      'PEM of the roots that a check of a file trusts, such as the C2PA trust list. Empty: it trusts none, and says so.',
  })
  @IsString()
  trustedRoots = '';

  /** Not a setting: specs run the thread for content credentials from its source. Undefined means that of this build. */
  credentialProgram: CredentialProgram | undefined;

  /** Not a setting: specs run the program for images from its source. Null means that of this build. */
  imageProgram: BackgroundProgram | null = null;
}
