import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DeclaredContract } from '../contracts/declared-contracts';
import type { Handler } from '../contracts/handlers';
import { ROOT, sourceFiles } from '../../source-files';

/** The contracts that one program serves or subscribes to, and those it requests, publishes or signals. */
export interface ContractUser {
  /** The app, or one half of it: `console-customer`. */
  app: string;
  /** The queue group of its subscriptions. */
  service: string;
  served: DeclaredContract[];
  used: DeclaredContract[];
}

/** An app whose halves have users of their own on the broker, each with the rights of its folder. */
const HALVES: Record<string, string[]> = { console: ['customer', 'operator'] };

const OUT_OF_SERVICE = /\.(spec|e2e-spec|fixtures?)\.ts$/;

/** Every program that uses the bus, read from the metadata of handlers and from the contracts that its code names. */
export function contractUsers(declared: DeclaredContract[], handlers: Handler[]): ContractUser[] {
  const files = sourceFiles('apps', /\.ts$/).filter((file) => !OUT_OF_SERVICE.test(file));
  const programs = [...new Set(files.flatMap(programsOf))];
  const mentioned = new Map(files.map((file) => [file, mentionsIn(file)]));
  const mentions = (file: string): Set<string> => mentioned.get(file) ?? new Set();
  return programs
    .map((app) => {
      const own = files.filter((file) => programsOf(file).includes(app));
      return {
        app,
        service: serviceOf(own[0] ?? app),
        served: served(app, declared, handlers),
        used: declared.filter(({ table, key }) => own.some((file) => mentions(file).has(`${table}.${key}`))),
      };
    })
    .filter(({ app, service, served, used }) => app !== service || served.length + used.length > 0);
}

function served(app: string, declared: DeclaredContract[], handlers: Handler[]): DeclaredContract[] {
  const subjects = new Set(handlers.filter(({ file }) => programsOf(file).includes(app)).map(({ subject }) => subject));
  return declared.filter(({ contract }) => subjects.has(contract.subject));
}

/** The contracts that a file names, as `table.key`. One in a decorator is served; every other mention is a use. */
function mentionsIn(file: string): Set<string> {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return new Set(source.match(/(?<!@(Handles|OnEvent|OnSignal)\()\b\w+\.\w+\b/g));
}

/** Both halves have the contracts of what they share. */
function programsOf(file: string): string[] {
  const [, app = file, , folder = ''] = file.split('/');
  const halves = HALVES[app];
  if (!halves) return [app];
  return (halves.includes(folder) ? [folder] : halves).map((half) => `${app}-${half}`);
}

function serviceOf(file: string): string {
  return file.split('/')[1] ?? file;
}
