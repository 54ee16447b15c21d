import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '@kinora/contracts/shared/errors';
import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';
import { RoutePolicy, type RoutePolicyOptions } from '../http/route-policy';

export const OPENAI_OPERATION_METADATA = 'kinora:openai-operation';

/** A body, by the body of the same operation of /v1. */
export interface OpenAiBodyFacts {
  mediaType: 'application/json' | 'multipart/form-data';
  /** The exported type of the fields that OpenAI has, or that mean something else here. */
  fields: string;
  /** Its other fields are taken too. */
  like: FieldsClass;
  /** The fields of `like` that are not taken. */
  without: readonly string[];
}

/** Facts of a route for the reference of the OpenAI-compatible API that its code does not show. */
export interface OpenAiOperationFacts {
  operationId: string;
  tag: 'Images' | 'Videos' | 'Models';
  summary: string;
  description?: string;
  /** The meaning of 200. */
  answer: string;
  /** The exported type of the answer; left out where it is the return type of the handler. */
  answerType?: string;
  /** The media type of an answer that is a file. */
  file?: string;
  /** Whether the answer may be an event stream. */
  streams?: boolean;
  bodies?: readonly OpenAiBodyFacts[];
  query?: FieldsClass;
  /** Whether the route creates a job: it then accepts an Idempotency-Key, and its answer names the job and its price. */
  idempotent?: boolean;
  /** Whether the answer comes after the end of the job, so that the failure of the job is an error. */
  waitsForJob?: boolean;
  /** Errors of the services behind the gateway. */
  errors: readonly ErrorCode[];
}

/** Describes a route in the reference of the OpenAI-compatible API. A route of it without a description fails the check. */
export function OpenAiOperation(facts: OpenAiOperationFacts): MethodDecorator {
  return SetMetadata(OPENAI_OPERATION_METADATA, facts);
}

/** The OpenAI-compatible API lies beside /v1. */
export const OPENAI_PATH = 'openai/v1';

export function isOpenAiRequest({ originalUrl }: FastifyRequest): boolean {
  return originalUrl.startsWith('/openai/');
}

/** Clients of Azure send it with every request, and it changes nothing. */
export const API_VERSION_PARAM = 'api-version';

/** Admission of a route of the OpenAI-compatible API. Azure's clients send `api-version` and `api-key`. */
export function OpenAiRoute(policy: Partial<RoutePolicyOptions> = {}): MethodDecorator {
  return RoutePolicy({
    takesApiKeyHeader: true,
    hashesBody: true,
    hashesBytes: true,
    ...policy,
    query: [API_VERSION_PARAM, ...(policy.query ?? [])],
  });
}

/** The query as the route reads it. */
export function withoutApiVersion(query: unknown): Record<string, unknown> {
  const { [API_VERSION_PARAM]: _version, ...rest } = query as Record<string, unknown>;
  return rest;
}
