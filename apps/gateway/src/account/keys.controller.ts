import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { ApiKeyList, DeletedApiKey, IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { CreateAccountKeyBody, OverlapBody } from '@kinora/contracts/billing/account-key.body';
import { selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { PageQuery } from '@kinora/contracts/shared/page';
import { maxBodyBytes } from '@kinora/contracts/shared/json-size';
import { AddressedId, CurrentCaller } from '../http/parameters.decorator';
import { PAGE_PARAMS, readBodyAs, readOptionalBodyAs, readPage } from '../http/read-fields';
import { type ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

/** The keys of an account, for its keys of the scope `account`. */
@Controller('account/keys')
export class KeysController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RoutePolicy({ scope: 'account', query: PAGE_PARAMS })
  @Operation({
    operationId: 'listKeys',
    tag: 'Account',
    summary: 'List API keys',
    description:
      'The keys of the account, newest first, without revoked ones. A key that is restricted to models, a budget or an expiry ' +
      'sees itself and the keys that it has created.',
    answers: { 200: 'A page of keys.' },
    query: PageQuery,
    errors: selfServiceRpc.listKeys.errors,
  })
  list(@CurrentCaller() { account_id, api_key_id }: Admission, @Query() query: unknown): Promise<ApiKeyList> {
    return this.bus.request(selfServiceRpc.listKeys, { account_id, api_key_id, ...readPage(query) });
  }

  @Post()
  @RoutePolicy({ scope: 'account', takesJson: true, bodyMaxBytes: maxBodyBytes(CreateAccountKeyBody) })
  @Operation({
    operationId: 'createKey',
    tag: 'Account',
    summary: 'Create an API key',
    description:
      'The secret is in this response only. A key may do no more than the key that creates it. A request without an answer is ' +
      'not to be repeated blindly, since each creates a key and an `Idempotency-Key` is ignored: list the keys, and revoke the ' +
      'one whose secret was lost.',
    answers: { 201: 'The key, with its secret.' },
    body: CreateAccountKeyBody,
    errors: selfServiceRpc.createKey.errors,
  })
  create(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @Body() { value }: ReceivedBody,
  ): Promise<IssuedApiKey> {
    const input = readBodyAs(CreateAccountKeyBody, value);
    return this.bus.request(selfServiceRpc.createKey, { account_id, api_key_id, input });
  }

  @Delete(':id')
  @RoutePolicy({ scope: 'account' })
  @Operation({
    operationId: 'revokeKey',
    tag: 'Account',
    summary: 'Revoke an API key',
    description:
      'Ends the key, and both secrets of a rotation, before the response. A key may revoke itself. The key of the scope ' +
      '`account` that is valid the longest cannot be revoked.',
    answers: { 200: 'The key is revoked.' },
    errors: selfServiceRpc.revokeKey.errors,
  })
  async revoke(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @AddressedId('key') id: string,
  ): Promise<DeletedApiKey> {
    await this.bus.request(selfServiceRpc.revokeKey, { account_id, api_key_id, target_key_id: id });
    return { object: 'api_key', id, deleted: true };
  }

  @Post(':id/rotate')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ scope: 'account', takesJson: true, isBodyOptional: true })
  @Operation({
    operationId: 'rotateKey',
    tag: 'Account',
    summary: 'Rotate an API key',
    description:
      'Gives the key a new secret, which is in this response only. Id, limits, budget and rate stay. The previous secret is ' +
      'valid for `overlap_seconds` more; an older one ends now.',
    answers: { 200: 'The key, with its new secret.' },
    body: OverlapBody,
    errors: selfServiceRpc.rotateKey.errors,
  })
  rotate(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @AddressedId('key') target_key_id: string,
    @Body() body: ReceivedBody | undefined,
  ): Promise<IssuedApiKey> {
    const { overlap_seconds = 0 } = readOptionalBodyAs(OverlapBody, body);
    return this.bus.request(selfServiceRpc.rotateKey, { account_id, api_key_id, target_key_id, overlap_seconds });
  }
}
