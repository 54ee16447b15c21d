import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const CERTIFICATE = path.join(__dirname, 'receiver-certificate');

/** For `NODE_EXTRA_CA_CERTS` of a process that must trust receivers. */
export const RECEIVER_AUTHORITY_FILE = path.join(CERTIFICATE, 'authority.pem');
/** Any other server of a spec may use the same certificate. */
export const RECEIVER_CERTIFICATE_FILE = path.join(CERTIFICATE, 'certificate.pem');
export const RECEIVER_KEY_FILE = path.join(CERTIFICATE, 'key.pem');

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The server name (SNI) that the client sent in the TLS handshake; false for an address. */
  serverName: string | false;
  /** Whether the client resumed an earlier TLS session. */
  isResumed: boolean;
}

export type ReceiverAnswer = (request: ReceivedRequest, response: ServerResponse) => void;

/** An HTTPS server that plays a customer's receiver, and records its requests. */
export class HttpsReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Number of TCP connections, also of failed ones. */
  connections = 0;
  /** Handler of requests; a spec may replace it. */
  answer: ReceiverAnswer = (_request, response) => response.writeHead(200).end();

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start({ host = '127.0.0.1', port = 0 } = {}): Promise<HttpsReceiver> {
    const server = createServer({
      key: readFileSync(path.join(CERTIFICATE, 'key.pem')),
      cert: readFileSync(path.join(CERTIFICATE, 'certificate.pem')),
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return new HttpsReceiver(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Null if the sender was killed before its last byte. That error would fail a test that has nothing to do with it.
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const socket = request.socket as TLSSocket & { servername: string | false };
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      serverName: socket.servername,
      isResumed: socket.isSessionReused(),
    };
    this.requests.push(received);
    this.answer(received, response);
  }
}

const FOLDER = path.join(__dirname, 'client-certificate');

/** PEM files of a client certificate, and of the authority that a server must trust to accept it. */
export const CLIENT_CERTIFICATE = {
  authorityFile: path.join(FOLDER, 'authority.pem'),
  certFile: path.join(FOLDER, 'certificate.pem'),
  keyFile: path.join(FOLDER, 'key.pem'),
};

/**
 * Fails with the name of the first provider that the modules lack. Nest's preview mode resolves every constructor parameter
 * without creating instances, so nothing connects and nothing needs to be closed.
 */
export async function assertResolvable(root: DynamicModule): Promise<void> {
  await NestFactory.createApplicationContext(root, { preview: true, logger: false, abortOnError: false });
}

/**
 * Distinct loopback addresses for servers with a fixed port, such as 8443. Each process draws its own out of four million, so
 * that the specs of two checkouts can run on one machine at once.
 */
export function loopbackAddresses(count: number): string[] {
  const network = `127.${randomInt(64, 128)}.${randomInt(256)}`;
  const first = randomInt(1, 255 - count);
  return Array.from({ length: count }, (_, index) => `${network}.${first + index}`);
}
