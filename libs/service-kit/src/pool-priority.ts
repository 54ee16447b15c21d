import { pbkdf2 } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { lowerThreadPriority } from './thread-priority';

/**
 * Lowers the priority of libuv's thread pool, which decodes and encodes images. A machine that is busy with images then still
 * answers small requests. Threads that libvips starts inherit the priority. It must run before anything else uses the pool.
 */
export function lowerPoolPriority(): void {
  // Other systems cannot list threads, and have no priority per thread.
  if (process.platform !== 'linux') return;
  const before = new Set(listThreads());
  // The first task starts all threads of the pool, and waits until they run.
  pbkdf2('', '', 1, 1, 'sha256', () => undefined);
  for (const thread of listThreads().filter((id) => !before.has(id))) lowerThreadPriority(thread);
}

function listThreads(): number[] {
  return readdirSync('/proc/self/task').map(Number);
}
