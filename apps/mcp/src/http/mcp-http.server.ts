import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse, createServer } from 'node:http';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { limitConnections, trustedProxiesOf } from '@kinora/service-kit/connection-limit';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

const MAX_CONNECTIONS = 1_000;
/** A whole request arrives within it. Answers take longer, up to the wait of a job. */
const REQUEST_TIMEOUT_MS = 30_000;
const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/;

export interface McpHttpOptions {
  /** The tools for the API key that a request carries. */
  serverFor: (apiKey: string) => McpServer;
  allowedOrigins: string[];
  /** Open connections per client address; none of the trusted proxies has a limit. */
  addressConnectionsMax: number;
  trustedProxies: string;
}

/**
 * Streamable HTTP without sessions: each request carries the API key of its caller, so that the server keeps no key and no state,
 * and any replica answers. The transport limits a body to 4 MB.
 */
export function createMcpHttpServer(options: McpHttpOptions): Server {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, options).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'The server failed unexpectedly.');
      else response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  const isTrustedProxy = trustedProxiesOf(options.trustedProxies);
  limitConnections(server, { max: options.addressConnectionsMax, isTrustedProxy, toRawResponse });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: McpHttpOptions): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://server');
  if (pathname === '/healthz') return void response.writeHead(200).end('ok');
  if (pathname !== '/mcp') return refuse(response, 404, 'The address of this server ends in /mcp.');
  // A page of another site could otherwise reach a server on the user's own machine (DNS rebinding).
  const { origin, authorization } = request.headers;
  if (origin !== undefined && !options.allowedOrigins.includes(origin))
    return refuse(response, 403, 'This origin may not call the server: add it to KINORA_MCP_ALLOWED_ORIGINS.');
  if (request.method !== 'POST') return refuse(response, 405, 'Send POST requests: this server keeps no sessions.');
  const [, apiKey] = BEARER.exec(authorization ?? '') ?? [];
  if (apiKey === undefined) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401, 'Send your API key as "Authorization: Bearer KEY".');
  }
  const tools = options.serverFor(apiKey);
  const transport = new StreamableHTTPServerTransport({});
  response.once('close', () => void tools.close());
  await tools.connect(transport);
  await transport.handleRequest(request, response);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(toBody(message));
}

function toRawResponse({ status, message, retryAfterSeconds }: ApiError): string {
  const body = toBody(message);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `retry-after: ${retryAfterSeconds}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** In the form of JSON-RPC, which clients of the protocol read. */
function toBody(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
}
