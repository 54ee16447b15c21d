import { IsString } from 'class-validator';
import { Setting } from '../config/setting.decorator';

/** How a test tells a process where to die. */
export class CrashConfig {
  @Setting({
    env: 'NODE_ENV',
    description: 'test in processes that tests start, the only ones that can be told to die.',
  })
  @IsString()
  nodeEnv = '';

  @Setting({
    env: 'CRASH_AT',
    description:
      'The crash point at which the process kills itself, with :n when it comes there the n-th time; for tests only.',
  })
  @IsString()
  crashAt = '';

  @Setting({
    env: 'CRASH_AT_FILE',
    description: 'A file that may say the same, at any time: the one process that it kills deletes it; for tests only.',
  })
  @IsString()
  crashAtFile = '';
}
