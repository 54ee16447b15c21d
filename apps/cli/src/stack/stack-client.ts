import { userInfo } from 'node:os';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { CHECK_PROBLEMS_MAX, checksRpc, type RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Bus, connectBus, natsTlsFilesIn, parseNatsUrl } from '@kinora/bus/client';
import { findStack, type Stack } from './find-stack';

/**
 * Sends requests to the running stack. It connects at the first request, so that a mistyped command is reported without
 * a stack.
 */
export class StackClient {
  private connection: ReturnType<typeof connectBus> | undefined;

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  find(): Stack {
    return findStack(this.env);
  }

  async request<Request, Response>(
    contract: RpcContract<Request, Response>,
    request: NoInfer<Request>,
  ): Promise<Response> {
    return (await this.connect()).request(contract, request);
  }

  /** Requests a change, in the operator's name. */
  async requestAsOperator<Request extends OperatorRequest, Response>(
    contract: RpcContract<Request, Response>,
    request: NoInfer<Request>,
  ): Promise<Response> {
    return this.request<Request, Response>(contract, { ...request, actor: operatorOf(this.env) });
  }

  async connect(): Promise<Bus> {
    const { nats_url: url } = this.find();
    this.connection ??= connectBus(url, 'kinora-cli', natsTlsFilesIn(this.env));
    try {
      return (await this.connection).bus;
    } catch {
      // Only the servers: the address may contain credentials.
      const servers = parseNatsUrl(url).servers.join(', ');
      throw new ApiError('capacity', `The stack's broker does not answer at ${servers}. Is the stack running?`);
    }
  }

  async close(): Promise<void> {
    const connection = await this.connection?.catch(() => undefined);
    // An error on closing the connection does not invalidate an answer that has arrived.
    await connection?.close().catch(() => undefined);
  }
}

/** A container, a system service and a bare `env -i` set no USER; then the operating system provides the user name. */
function operatorOf(env: NodeJS.ProcessEnv): string {
  return env['KINORA_OPERATOR'] || env['USER'] || userName();
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the password database, as in containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Shows the result on the overview of the console. A stack without a console keeps none, and the command is the same. */
export async function recordCheck(stack: StackClient, run: RecordCheckRequest): Promise<void> {
  const problems = run.problems.slice(0, CHECK_PROBLEMS_MAX);
  await stack.requestAsOperator(checksRpc.record, { ...run, problems }).catch(() => undefined);
}
