import { IsIn, IsInt, IsString, IsUrl, Matches, Max, Min, MinLength, ValidateIf } from 'class-validator';
import { SEED } from '@kinora/signatures';
import { type CredentialProgram, CredentialsConfig } from '@kinora/credentials';
import { IsEgressAllow } from '@kinora/egress';
import { ObjectStoreConfig } from '@kinora/object-store';
import {
  type BackgroundProgram,
  DatabaseServiceConfig,
  Setting,
  type Environment,
  SettingGroup,
} from '@kinora/service-kit';

export class JobsConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'JOBS_ROLES',
    description: 'What this process does: api answers the bus, runner runs jobs at their providers; comma-separated.',
  })
  @Matches(/^(api|runner)(,(api|runner))?$/, { message: 'must be api, runner or api,runner' })
  roles = 'api,runner';

  @Setting({ env: 'KINORA_PUBLIC_URL', description: 'Address under which clients reach the gateway, without /v1.' })
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  publicUrl!: string;

  @Setting({
    env: 'KINORA_URL_SIGNING_KEY',
    description: 'Signs download URLs; the same at the gateway. At least 32 characters.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  urlSigningKey!: string;

  @Setting({
    env: 'KINORA_RECEIPT_KEY',
    description:
      'Private key that signs receipts: 64 hexadecimal digits, as from openssl rand -hex 32. The role api needs it.',
    secret: true,
  })
  @ValidateIf((config: JobsConfig) => config.has('api'))
  @Matches(SEED, { message: 'must be 64 hexadecimal digits' })
  receiptKey = '';

  @Setting({
    env: 'KINORA_RECEIPT_KEY_NEXT',
    description:
      'The key that will sign receipts after the next rotation. Its public half is published ahead; it signs nothing. Empty means none.',
    secret: true,
  })
  @ValidateIf(({ receiptKeyNext }: JobsConfig) => receiptKeyNext !== '')
  @Matches(SEED, { message: 'must be empty or 64 hexadecimal digits' })
  receiptKeyNext = '';

  @Setting({
    env: 'KINORA_QUOTE_KEY',
    description: 'Signs quotes, which hold a price for ten minutes. At least 32 characters. The role api needs it.',
    secret: true,
  })
  @ValidateIf((config: JobsConfig) => config.has('api'))
  @IsString()
  @MinLength(32)
  quoteKey = '';

  @Setting({
    env: 'KINORA_QUOTE_KEY_ACCEPTED',
    description:
      'A second key whose quotes are accepted and that signs none: the next key before a rotation, the previous key after it. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  quoteKeyAccepted = '';

  @SettingGroup(ObjectStoreConfig)
  objectStore = new ObjectStoreConfig();

  @SettingGroup(CredentialsConfig)
  credentials = new CredentialsConfig();

  @Setting({
    env: 'KINORA_MARKER_URL',
    description:
      "Address of the operator's marker, which gets a PNG by POST and answers with it and a watermark. Routes with marker: http need it.",
  })
  @ValidateIf(({ markerUrl }: JobsConfig) => markerUrl !== '')
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  markerUrl = '';

  @Setting({ env: 'KINORA_MARKER_TOKEN', description: 'Bearer token for that marker. Empty means none.', secret: true })
  @IsString()
  markerToken = '';

  @Setting({ env: 'KINORA_MARKER_TIMEOUT_MS', description: 'How long the marker may take for one image.' })
  @IsInt()
  @Min(100)
  @Max(60_000)
  markerTimeoutMs = 10_000;

  @Setting({
    env: 'KINORA_MARKER_FAILS',
    description:
      'closed: while the marker fails, outputs wait for it, at most to the deadline of their job. open: they are stored without a watermark.',
  })
  @IsIn(['closed', 'open'])
  markerFails: 'closed' | 'open' = 'closed';

  @Setting({
    env: 'KINORA_CALLBACK_URL',
    description:
      'Address under which compute backends reach the gateway with callbacks; empty takes KINORA_PUBLIC_URL if that is https and public, none switches callbacks off.',
  })
  @Matches(/^(|none|https?:\/\/[^\s?#]+)$/, { message: 'must be empty, none, or an http or https address' })
  callbackUrl = '';

  @Setting({
    env: 'KINORA_SANDBOX_URL',
    description: 'Address of the sandbox renderer; empty means there is none, and needs an instance in providers.yaml.',
  })
  @ValidateIf(({ sandboxUrl }: JobsConfig) => sandboxUrl !== '')
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  sandboxUrl = '';

  @Setting({
    env: 'KINORA_SANDBOX_CONCURRENCY',
    description:
      'Upper bound of tasks at the sandbox at once. The sandbox reports how many it draws at once, and gets one more.',
  })
  @IsInt()
  @Min(1)
  @Max(100_000)
  sandboxConcurrency = 5_000;

  @Setting({
    env: 'KINORA_STAY_LOADS',
    description:
      'How long an instance stays with the model that it has loaded while jobs for another one wait, in times of a load.',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  stayLoads = 20;

  @Setting({
    env: 'KINORA_STAY_SECONDS',
    description: 'The same bound in seconds; the shorter of both counts.',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  staySeconds = 600;

  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description: "Folder of the operator's files; providers.yaml in it names compute instances. Empty means no folder.",
  })
  @IsString()
  configDir = '';

  /** Not a setting: the values of `${NAME}` in the operator's files. */
  environment: Environment = process.env;

  /** Not a setting: specs run the program for large inputs from its source. Null means that of this build. */
  largeInputs: BackgroundProgram | null = null;

  /** Not a setting: specs run the thread for content credentials from its source. Undefined means that of this build. */
  credentialProgram: CredentialProgram | undefined;

  @Setting({
    env: 'KINORA_EGRESS_ALLOW',
    description:
      'Comma-separated list of private host:port or CIDR from which LoRAs and outputs may be fetched; for development only.',
  })
  @IsEgressAllow()
  egressAllow = '';

  @Setting({ env: 'KINORA_LORA_MAX_MB', description: 'Maximum size of a LoRA, in MiB.' })
  @IsInt()
  @Min(1)
  maxLoraMb = 2_048;

  @Setting({
    env: 'KINORA_LORA_FOLDER_MB',
    description: 'Maximum size, in MiB, of the fetched LoRAs in a folder that is shared with compute instances.',
  })
  @IsInt()
  @Min(1)
  loraFolderMb = 51_200;

  @Setting({ env: 'JOBS_COLLECTORS', description: 'Finished jobs whose outputs a process fetches and checks at once.' })
  @IsInt()
  @Min(1)
  @Max(64)
  collectors = 4;

  @Setting({
    env: 'JOBS_OUTPUTS_MAX_BYTES',
    description:
      'Memory that one process plans for outputs which it fetches and checks at once, in bytes; more wait. An image takes 20 bytes a pixel, with a marker 24, and a video 256 MiB. One output is always allowed.',
  })
  @IsInt()
  @Min(16 * 1024 * 1024)
  @Max(16 * 1024 * 1024 * 1024)
  outputsMaxBytes = 256 * 1024 * 1024;

  @Setting({ env: 'KINORA_EVENT_RETENTION_DAYS', description: 'How long the event feed of an account keeps an event.' })
  @IsInt()
  @Min(1)
  @Max(365)
  eventRetentionDays = 7;

  @Setting({
    env: 'KINORA_JOB_RETENTION_DAYS',
    description:
      'Days after which a month of jobs is dropped as a whole, with prompts and attempts; 0 keeps them for ever. Usage and receipts stay.',
  })
  @ValidateIf(({ jobRetentionDays }: JobsConfig) => jobRetentionDays !== 0)
  @IsInt()
  @Min(31)
  @Max(36_500)
  jobRetentionDays = 0;

  @Setting({
    env: 'JOBS_ORPHAN_AFTER_SECONDS',
    description:
      'Age at which an object without a job is deleted from the store. Longer than any request, and than clocks differ.',
  })
  @IsInt()
  @Min(60)
  orphanAfterSeconds = 900;

  @Setting({
    env: 'JOBS_ORPHAN_SWEEP_HOURS',
    description:
      'Time between the starts of two passes over the whole object store, which delete objects without a job.',
  })
  @IsInt()
  @Min(1)
  @Max(720)
  orphanSweepHours = 24;

  has(role: 'api' | 'runner'): boolean {
    return this.roles.split(',').includes(role);
  }
}
