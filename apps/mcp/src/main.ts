#!/usr/bin/env node
import 'reflect-metadata';
import { Kinora } from '@kinora/client';
import { ConfigError, loadConfig } from '@kinora/service-kit/without-nest';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from './create-mcp-server';
import { createMcpHttpServer } from './http/mcp-http.server';
import { McpConfig } from './mcp.config';

async function main(): Promise<void> {
  const config = loadConfig(McpConfig, process.env);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  if (config.transport === 'stdio') await serveStdio(config);
  else serveHttp(config);
}

/** Standard output carries the protocol, so that errors go to standard error. */
async function serveStdio({ apiKey, baseUrl, imageFolder }: McpConfig): Promise<void> {
  if (apiKey === '') throw new ConfigError('KINORA_API_KEY: the API key is missing.');
  const kinora = new Kinora({ apiKey, baseURL: baseUrl });
  await createMcpServer({ kinora, imageFolder: imageFolder || null }).connect(new StdioServerTransport());
}

function serveHttp(config: McpConfig): void {
  const { baseUrl, host, port, allowedOrigins, trustedProxies, addressConnectionsMax } = config;
  const server = createMcpHttpServer({
    serverFor: (apiKey) => createMcpServer({ kinora: new Kinora({ apiKey, baseURL: baseUrl }), imageFolder: null }),
    allowedOrigins: allowedOrigins.split(',').flatMap((origin) => origin.trim() || []),
    trustedProxies,
    addressConnectionsMax,
  });
  server.on('error', (error) => fail(error));
  // The only line that it logs: requests carry keys and prompts.
  server.listen(port, host, () =>
    process.stdout.write(`${JSON.stringify({ msg: 'mcp_started', address: server.address() })}\n`),
  );
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
