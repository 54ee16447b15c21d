import { IsString } from 'class-validator';
import { Setting } from '../config/setting.decorator';

/** Settings with which a test kills a process at a crash point. */
export class CrashConfig {
  @Setting({
    env: 'NODE_ENV',
    description: 'test in processes that tests start; crash points are disabled in all others.',
  })
  @IsString()
  nodeEnv = '';

  @Setting({
    env: 'CRASH_AT',
    description: 'The crash point at which the process kills itself, with :n for the n-th pass; for tests only.',
  })
  @IsString()
  crashAt = '';

  @Setting({
    env: 'CRASH_AT_FILE',
    description:
      'A file with the same content, read at every crash point; the one process that ends deletes it; for tests only.',
  })
  @IsString()
  crashAtFile = '';
}
