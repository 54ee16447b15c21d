import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** The environment variables of the farm: the number of receivers, and how many of them never respond. */
const [healthy = 0, hanging = 0] = process.argv.slice(2).map(Number);
const CERTIFICATE = path.resolve('libs/testing/src/receiver-certificate');

export interface Arrival {
  eventId: string;
  /** By the job's own timestamp; both processes use the clock of this machine. */
  completedAtMs: number;
  arrivedAtMs: number;
}

export interface FarmPorts {
  ports: number[];
  hangingPorts: number[];
}

export interface FarmArrivals {
  arrivals: Arrival[];
}

let arrivals: Arrival[] = [];

async function main(): Promise<void> {
  const ports = await Promise.all(Array.from({ length: healthy }, () => listen(false)));
  const hangingPorts = await Promise.all(Array.from({ length: hanging }, () => listen(true)));
  reportArrivals({ ports, hangingPorts });
  process.on('message', () => {
    reportArrivals({ arrivals });
    arrivals = [];
  });
  process.on('disconnect', () => process.exit());
}

async function listen(isHanging: boolean): Promise<number> {
  const server: Server = createServer({
    key: readFileSync(path.join(CERTIFICATE, 'key.pem')),
    cert: readFileSync(path.join(CERTIFICATE, 'certificate.pem')),
  });
  server.on('request', (request, response) => {
    const arrivedAtMs = Date.now();
    if (isHanging) return;
    void text(request).then((body) => {
      response.writeHead(204).end();
      const event = JSON.parse(body) as { id: string; data: { object: { completed_at: string } } };
      arrivals.push({ eventId: event.id, completedAtMs: Date.parse(event.data.object.completed_at), arrivedAtMs });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function reportArrivals(message: FarmPorts | FarmArrivals): void {
  process.send?.(message);
}

void main();
