import { isAscii } from 'node:buffer';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script, constants } from 'node:vm';
import { mapStacksToSource } from './stack-traces';
import { STARTED } from './started';
import { setFlagsForStart } from './v8-flags';

/** Beside `dist`. `npm ci` empties it, and a build does not. */
const KEPT = path.resolve(__dirname, '../../../../node_modules/.cache/kinora-code');
const PACKAGES = `${path.sep}node_modules${path.sep}`;

let bundle: Bundle | undefined;

/** What `npm run build` knows about a file that it has bundled. */
export interface BundledFile {
  /** The path of the file in `dist`. */
  program: string;
  bundle: string;
  /** Packages that are not part of the bundle. */
  separate: string[];
}

/**
 * Runs a bundle, and returns its exports. Once the program has started, the code that V8 compiled until then is kept, and the next
 * starts compile nothing. Where the folder is read-only, as in the image, each start compiles.
 *
 * Not `module.enableCompileCache()` of Node 22: it keeps what V8 compiles when it loads a file, without the functions that run later,
 * which are most.
 */
export function runBundle(file: BundledFile, kept = KEPT): object {
  if (!bundle) {
    mapStacksToSource();
    bundle = new Bundle(path.join(kept, file.program), file.separate);
    subscribe(STARTED, bundle.keepCode);
  }
  return bundle.load(file.bundle);
}

/** The bundled files that this thread has loaded. */
class Bundle {
  private readonly loaded = new Map<string, object>();
  /** The parts whose code is not kept yet, by the name of its file. */
  private readonly compiled = new Map<string, Script>();
  /** The version of V8 with its flags, which change when the program has started. */
  private readonly version = cachedDataVersionTag();

  constructor(
    private readonly folder: string,
    private readonly separate: readonly string[],
  ) {}

  /** Runs a part of the bundle once, and returns its exports. */
  load(file: string): object {
    const known = this.loaded.get(file);
    if (known) return known;
    const module = { exports: {} };
    this.loaded.set(file, module.exports);
    const run = this.compile(file).runInThisContext() as (...values: unknown[]) => void;
    run(module.exports, this.requireFrom(file), module, file, path.dirname(file));
    return module.exports;
  }

  /** A failure costs the next start some time, and this one nothing. */
  readonly keepCode = (): void => {
    if (this.compiled.size === 0) return;
    // A worker thread sets V8's flags of before-program.ts back, and V8 refuses code of other flags than those of the next start.
    if (cachedDataVersionTag() !== this.version) setFlagsForStart();
    try {
      mkdirSync(this.folder, { recursive: true });
      for (const [name, script] of this.compiled) {
        const draft = path.join(this.folder, `${process.pid}.draft`);
        writeFileSync(draft, script.createCachedData());
        renameSync(draft, path.join(this.folder, name));
      }
      this.removeOlder();
    } catch {
      // The folder is read-only, or the disk is full.
    }
  };

  private compile(file: string): Script {
    const name = `${path.basename(file, '.js')}.${this.version}`;
    const cachedData = this.readKept(name);
    const script = new Script(readText(file), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) this.compiled.set(name, script);
    return script;
  }

  private readKept(name: string): Buffer | undefined {
    try {
      return readFileSync(path.join(this.folder, name));
    } catch {
      return undefined;
    }
  }

  /** The names of the parts hold the hash of their content. */
  private removeOlder(): void {
    const parts = [...this.loaded.keys()].map((file) => path.basename(file, '.js'));
    for (const name of readdirSync(this.folder)) {
      if (!name.endsWith('.draft') && !parts.some((part) => name.startsWith(part)))
        rmSync(path.join(this.folder, name));
    }
  }

  private requireFrom(file: string): NodeJS.Require {
    const require = createRequire(file);
    const load = (id: string): unknown => {
      if (id.startsWith('.')) return this.load(path.resolve(path.dirname(file), id));
      if (!this.isSeparate(id) && require.resolve(id).includes(PACKAGES))
        throw new Error(`${id} is part of the bundle.`);
      return require(id);
    };
    return Object.assign(load, require);
  }

  /** Packages load others by name at run time. A second copy of a package has a state and classes of its own. */
  private isSeparate(id: string): boolean {
    return isBuiltin(id) || this.separate.some((name) => id === name || id.startsWith(`${name}/`));
  }
}

/** Node keeps ASCII text of this size outside of V8's heap, without a copy. */
function readText(file: string): string {
  const bytes = readFileSync(file);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
