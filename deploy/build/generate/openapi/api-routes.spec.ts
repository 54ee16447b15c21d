import { Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { RoutePolicy } from '../../../../apps/gateway/src/http/route-policy';
import { OpenAiOperation } from '../../../../apps/gateway/src/openai/openai-operation.decorator';
import { Operation } from '../../../../apps/gateway/src/reference/operation.decorator';
import { type ControllerClass, apiRoutesOf, assertServed, openAiRoutesOf } from './api-routes';

const described = Operation({ operationId: 'op', tag: 'Jobs', summary: 's', answers: { 200: 'a' }, errors: [] });

@Controller('jobs')
class JobsController {
  @Get()
  @RoutePolicy({ query: ['limit'] })
  @described
  list(): void {}

  @Post(':id/cancel')
  @described
  cancel(): void {}
}

@Controller('files')
class FilesController {
  @Get('*')
  @RoutePolicy({ access: 'signed' })
  download(): void {}
}

@Controller('secret')
class SecretController {
  @Get()
  read(): void {}
}

@Controller('account')
class ForgetfulController {
  @Get()
  @described
  get(): void {}

  @Get('keys')
  @described
  list(): void {}
}

@Controller('account')
class ScopedController {
  @Get('keys')
  @RoutePolicy({ scope: 'account' })
  @described
  list(): void {}
}

@Controller('openai/v1/videos')
class OpenAiController {
  @Get(':id')
  @OpenAiOperation({ operationId: 'op', tag: 'Videos', summary: 's', answer: 'a', errors: [] })
  get(): void {}
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

const asControllers = (...classes: { name: string; prototype: object }[]) => classes as ControllerClass[];

describe('routes of the API', () => {
  it('are those of the controllers, without routes outside of /v1', () => {
    expect(apiRoutesOf(moduleOf(JobsController, FilesController))).toMatchObject([
      { method: 'get', path: '/jobs', controller: 'JobsController', handler: 'list', policy: { query: ['limit'] } },
      { method: 'post', path: '/jobs/{id}/cancel', handler: 'cancel', policy: { access: 'key', query: [] } },
    ]);
  });

  it('require a description', () => {
    expect(() => apiRoutesOf(moduleOf(JobsController, SecretController))).toThrow(
      'SecretController.read serves a route that no @Operation describes.',
    );
  });

  it('of the OpenAI-compatible API are in the document of that API only, and require a description of their own', () => {
    expect(apiRoutesOf(moduleOf(JobsController, OpenAiController)).map(({ path }) => path)).toEqual([
      '/jobs',
      '/jobs/{id}/cancel',
    ]);
    expect(openAiRoutesOf(moduleOf(JobsController, OpenAiController))).toMatchObject([
      { method: 'get', path: '/videos/{id}', handler: 'get' },
    ]);
    expect(() => openAiRoutesOf(moduleOf(SecretOpenAiController))).toThrow(
      'SecretOpenAiController.list serves a route that no @OpenAiOperation describes.',
    );
  });

  it('state their scope where they administer an account', () => {
    expect(() => apiRoutesOf(moduleOf(ForgetfulController))).toThrow(
      'ForgetfulController.list serves /account/keys without a scope.',
    );
    expect(apiRoutesOf(moduleOf(ScopedController))).toMatchObject([
      { path: '/account/keys', policy: { scope: 'account' } },
    ]);
  });

  it('exist for every description', () => {
    expect(() =>
      assertServed(asControllers(JobsController, SecretController), moduleOf(JobsController, FilesController)),
    ).not.toThrow();
    expect(() => assertServed(asControllers(JobsController), moduleOf(NoRouteController))).toThrow(
      'JobsController.list has an @Operation, and serves no route.',
    );
    expect(() => assertServed(asControllers(NoRouteController), moduleOf(NoRouteController))).toThrow(
      'NoRouteController.list has an @Operation, and serves no route.',
    );
  });
});
