import type { ServerResponse } from 'node:http';

const CHUNK = Buffer.alloc(1024 * 1024);

/** Announces all of the bytes, sends half of them, and closes the connection. */
export function truncate(response: ServerResponse, bytes: Buffer): void {
  response.setHeader('content-length', bytes.length);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** Sends until the client closes the connection. */
export function sendWithoutEnd(response: ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed) response.write(CHUNK, more);
  };
  more();
}
