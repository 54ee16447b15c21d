import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { ROOT } from '../../deploy/build/source-files';

const run = promisify(execFile);
const LIBRARY = path.join(ROOT, 'libs/sdk-typescript');
/** The repository's npm configuration is not that of a developer who installs the library. */
const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** A project of a developer who has installed the client from the tarball that `npm pack` makes. */
export class ClientProject {
  private constructor(
    private readonly root: string,
    readonly tarball: string,
  ) {}

  /** Builds a copy of the library, so that no test writes into the repository. */
  static async create(): Promise<ClientProject> {
    const root = await mkdtemp(path.join(os.tmpdir(), 'kinora-client-'));
    const library = path.join(root, 'library');
    await cp(LIBRARY, library, { recursive: true, filter: (file) => !/\/(dist|node_modules)$/.test(file) });
    await symlink(path.join(ROOT, 'node_modules'), path.join(library, 'node_modules'));
    // npm started this test in the repository, whose settings forbid scripts, and hands them on.
    const env = { ...process.env, npm_config_ignore_scripts: 'false' };
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', root], { cwd: library, env });
    const project = new ClientProject(root, path.join(root, stdout.trim().split('\n').at(-1) ?? ''));
    await mkdir(project.folder);
    await writeFile(path.join(project.folder, 'package.json'), '{ "private": true }\n');
    await run('npm', ['install', ...OFFLINE, project.tarball], { cwd: project.folder });
    return project;
  }

  get folder(): string {
    return path.join(this.root, 'project');
  }

  get installed(): string {
    return path.join(this.folder, 'node_modules/@kinora/client');
  }

  async write(name: string, content: string): Promise<string> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  }

  start(program: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): RunningProgram {
    return new RunningProgram(process.execPath, [program, ...args], { cwd: this.folder, env });
  }

  startIn(folder: string, program: string, args: string[], env: NodeJS.ProcessEnv): RunningProgram {
    return new RunningProgram(process.execPath, [program, ...args], { cwd: path.join(this.folder, folder), env });
  }

  /** The errors of the compiler about files of the project. */
  compile(files: string[], options: ts.CompilerOptions = {}): string[] {
    const all: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
      types: ['node'],
      ...options,
    };
    const program = ts.createProgram(files, all, hostWithKeptLibraries(all));
    return ts.getPreEmitDiagnostics(program).map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

const libraries = new Map<string, ts.SourceFile | undefined>();

/** Reads the types of the language once for all programs. */
function hostWithKeptLibraries(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (!/\/typescript\/lib\/lib\..*d\.ts$/.test(file)) return read(file, ...rest);
    if (!libraries.has(file)) libraries.set(file, read(file, ...rest));
    return libraries.get(file);
  };
  return host;
}

/** A process whose output a test waits for. */
export class RunningProgram {
  output = '';
  private readonly child;
  private readonly closed: Promise<number | null>;

  constructor(command: string, args: string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.closed = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', resolve);
    });
  }

  /** The whole output of a program that must end without an error. */
  async succeeded(): Promise<string> {
    const exitCode = await this.closed;
    if (exitCode !== 0) throw new Error(`The program ended with ${exitCode} and printed:\n${this.output}`);
    return this.output;
  }

  /** Ends it as a crash of the machine does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }
}
