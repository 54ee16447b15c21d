import type * as cryptography from 'node:crypto';
import type * as files from 'node:fs/promises';
import type * as paths from 'node:path';

/** Whether the program runs in a page of a browser, where everyone can read its key. */
export function isBrowser(): boolean {
  return 'document' in globalThis && 'window' in globalThis;
}

interface NodeModules {
  'node:fs/promises': typeof files;
  'node:crypto': typeof cryptography;
  'node:path': typeof paths;
}

/** A module of Node, Deno or Bun. The specifier is a variable, so that a bundler for browsers leaves it alone. */
export async function nodeModule<Name extends keyof NodeModules>(name: Name): Promise<NodeModules[Name]> {
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as NodeModules[Name];
}

/** 32 random hexadecimal digits. `crypto.randomUUID` does not exist on pages without TLS. */
export function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Resolves after the time, or rejects with the reason of the signal. */
export function delay(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
