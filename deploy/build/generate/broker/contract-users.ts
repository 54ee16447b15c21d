import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DeclaredContract } from '../contracts/declared-contracts';
import type { Handler } from '../contracts/handlers';
import { ROOT, sourceFiles } from '../../source-files';

/** The contracts that one program serves or subscribes to, and those it requests, publishes or signals. */
export interface ContractUser {
  app: string;
  served: DeclaredContract[];
  used: DeclaredContract[];
}

const OUT_OF_SERVICE = /\.(spec|e2e-spec|fixtures?)\.ts$/;

/** Every program that uses the bus, read from the metadata of handlers and from the contracts that its code names. */
export function contractUsers(declared: DeclaredContract[], handlers: Handler[]): ContractUser[] {
  const files = sourceFiles('apps', /\.ts$/).filter((file) => !OUT_OF_SERVICE.test(file));
  const apps = [...new Set(files.map(appOf))];
  return apps
    .map((app) => {
      const source = files.filter((file) => appOf(file) === app).map(readSource);
      return { app, served: served(app, declared, handlers), used: declared.filter((it) => isNamed(it, source)) };
    })
    .filter(({ served, used }) => served.length + used.length > 0);
}

function served(app: string, declared: DeclaredContract[], handlers: Handler[]): DeclaredContract[] {
  const subjects = new Set(handlers.filter((handler) => handler.app === app).map(({ subject }) => subject));
  return declared.filter(({ contract }) => subjects.has(contract.subject));
}

/** A contract in a decorator is served; every other mention is a use. */
function isNamed({ table, key }: DeclaredContract, source: string[]): boolean {
  const mention = new RegExp(`(?<!@(Handles|HandlesBatches|OnEvent|OnSignal)\\()\\b${table}\\.${key}\\b`);
  return source.some((text) => mention.test(text));
}

function appOf(file: string): string {
  return file.split('/')[1] ?? file;
}

function readSource(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
