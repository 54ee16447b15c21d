import { Setting } from '@kinora/service-kit/without-nest';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';

export class SandboxConfig {
  @Setting({
    env: 'SANDBOX_HOST',
    description: 'Address that the sandbox listens on. It has no authentication: keep it off public networks.',
  })
  @IsString()
  @IsNotEmpty()
  host = '127.0.0.1';

  @Setting({ env: 'SANDBOX_PORT', description: 'Port of the sandbox; 0 takes any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port = 0;

  @Setting({ env: 'SANDBOX_RENDER_THREADS', description: 'Threads that draw; 0 takes all cores but one.' })
  @IsInt()
  @Min(0)
  @Max(64)
  renderThreads = 0;

  @Setting({
    env: 'SANDBOX_TASKS_AT_ONCE',
    description:
      'Number of concurrent tasks that it reports; 0 reports the number of its threads. A higher number fills its own queue, which is for benchmarks only.',
  })
  @IsInt()
  @Min(0)
  @Max(100_000)
  tasksAtOnce = 0;

  @Setting({ env: 'LOG_LEVEL', description: 'Least level that is logged: trace, debug, info, warn or error.' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error'])
  logLevel = 'info';
}
