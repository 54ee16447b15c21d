import { Controller, Module } from '@nestjs/common';
import { Bus, Handles } from '@kinora/bus';
import { rpc } from '@kinora/contracts/shared/contract';
import { ServiceConfig } from './config/service.config';
import { runService } from './run-service';

export const exampleRpc = {
  ping: rpc<object, void>('run_service_spec.v1.ping', { timeoutMs: 10_000, errors: [] }),
  /** Waits for permission before it answers, so that the test decides how long it takes. */
  work: rpc<object, { worked: boolean }>('run_service_spec.v1.work', { timeoutMs: 10_000, errors: [] }),
  /** Throws asynchronously, outside of its handler. */
  crash: rpc<object, void>('run_service_spec.v1.crash', { timeoutMs: 10_000, errors: [] }),
  requestPermission: rpc<object, void>('run_service_caller.v1.ask_leave', { timeoutMs: 10_000, errors: [] }),
};

@Controller()
class ExampleController {
  constructor(private readonly bus: Bus) {}

  @Handles(exampleRpc.ping)
  async ping(_request: object): Promise<void> {}

  @Handles(exampleRpc.work)
  async work(_request: object): Promise<{ worked: boolean }> {
    await this.bus.request(exampleRpc.requestPermission, {});
    return { worked: true };
  }

  @Handles(exampleRpc.crash)
  async crash(_request: object): Promise<void> {
    void Promise.reject(new Error('nobody foresaw this'));
  }
}

@Module({ controllers: [ExampleController] })
class ExampleModule {}

if (require.main === module)
  void runService({ name: 'run_service_spec', config: ServiceConfig, module: ExampleModule });
