import { IsString } from 'class-validator';
import { ObjectStoreConfig } from '@kinora/object-store';
import { DatabaseServiceConfig, type Environment, Setting, SettingGroup } from '@kinora/service-kit';
import { DECODER_THREAD, type WorkerProgram } from '@kinora/videos';

export class ModerationConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description:
      "Folder of the operator's files; moderation.yaml in it adds engines, hash lists and terms. Empty means none.",
  })
  @IsString()
  configDir = '';

  /** No setting: what `${NAME}` in the operator's file stands for. */
  environment: Environment = process.env;

  @SettingGroup(ObjectStoreConfig)
  objectStore = new ObjectStoreConfig();

  @Setting({
    env: 'FFMPEG_PATH',
    description:
      'Program that decodes videos; empty means the ffmpeg on PATH, or the built-in decoder (constrained baseline only) without one.',
  })
  @IsString()
  ffmpegPath = '';

  /** No setting: where the built-in decoder lies depends only on how this program was compiled. */
  decoderThread: WorkerProgram = DECODER_THREAD;
}
