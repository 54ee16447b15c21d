import { Controller, Get, Module, type Type } from '@nestjs/common';
import { Operation } from '../../../../apps/gateway/src/reference/operation.decorator';
import { apiRoutesOf, assertServed, openAiRoutesOf } from './api-routes';

const described = Operation({ operationId: 'op', tag: 'Jobs', summary: 's', answers: { 200: 'a' }, errors: [] });

@Controller('secret')
class SecretController {
  @Get()
  read(): void {}
}

@Controller('account')
class ForgetfulController {
  @Get('keys')
  @described
  list(): void {}
}

@Controller('openai/v1/videos')
class SecretOpenAiController {
  @Get()
  @described
  list(): void {}
}

class NoRouteController {
  @described
  list(): void {}
}

function moduleOf(...controllers: Type[]): Type {
  class SomeModule {}
  Module({ controllers })(SomeModule);
  return SomeModule;
}

const served = (controller: Type, module: Type) => () => assertServed([controller], module);

/** The documents, which are compared byte for byte, show the routes themselves. */
describe('routes of the API', () => {
  it.each([
    [
      () => apiRoutesOf(moduleOf(SecretController)),
      'SecretController.read serves a route that no @Operation describes.',
    ],
    [
      () => openAiRoutesOf(moduleOf(SecretOpenAiController)),
      'SecretOpenAiController.list serves a route that no @OpenAiOperation describes.',
    ],
    [
      () => apiRoutesOf(moduleOf(ForgetfulController)),
      'ForgetfulController.list serves /account/keys without a scope.',
    ],
    [
      served(ForgetfulController, moduleOf(SecretController)),
      'ForgetfulController.list has an @Operation, and serves no route.',
    ],
    [
      served(NoRouteController, moduleOf(NoRouteController)),
      'NoRouteController.list has an @Operation, and serves no route.',
    ],
  ])('are refused: %#', (read, problem) => {
    expect(read).toThrow(problem);
  });
});
