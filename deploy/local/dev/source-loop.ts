import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { dataFolderAt, logFile } from '../data-folder';
import type { Development, LauncherOptions } from '../launcher';
import type { Supervisor } from '../processes/supervisor';
import type { ServiceName } from '../service-instance';
import { answersOk } from '../service-process';
import type { Stack } from '../stack-file';
import { waitUntil } from '../wait-until';
import { followLog } from './follow-log';

/** A process that takes longer to stop is killed: its work is resumed, as after any crash. */
const STOP_WITHIN_MS = 500;
const READY_WITHIN_MS = 60_000;
const READY_INTERVAL_MS = 25;

/** Message of deploy/build/watch.mjs about one save. */
interface Saved {
  files: string[];
  savedAt: number;
  /** The error if a file does not compile. */
  problem?: string;
}

export interface SourceLoopOptions extends Omit<LauncherOptions, 'development'> {
  services: ServiceName[];
  inspectPorts: Development['inspectPorts'];
}

/** Compiles saved files, and restarts the processes of the affected services. The others keep running. */
export class SourceLoop implements Development {
  readonly inspectPorts: Development['inspectPorts'];
  private latest = new AbortController();

  constructor(private readonly options: SourceLoopOptions) {
    this.inspectPorts = options.inspectPorts;
  }

  ready(supervisor: Supervisor, stack: Stack): void {
    const { services, print, stop } = this.options;
    for (const service of services) this.follow(service);
    const watcher = this.watch();
    // The first message reports that the watcher is ready: an earlier save would be missed.
    watcher.once('message', () => {
      print(this.introduction());
      watcher.on('message', (saved: Saved) => this.onSave(saved, supervisor, stack));
    });
    watcher.on(
      'exit',
      () => stop.aborted || print('The watcher ended: saves no longer restart any process. Run npm run dev again.'),
    );
    stop.addEventListener('abort', () => watcher.kill(), { once: true });
  }

  private introduction(): string {
    const { services, settings } = this.options;
    const lines = services.map(
      (service) =>
        `  ${service.padEnd(20)}apps/${service} and libs; debugger on 127.0.0.1:${this.inspectPorts[service]}`,
    );
    return [
      'Each save restarts these services. VS Code attaches to them with F5 (.vscode/launch.json):',
      ...lines,
      `Any other process: kill -USR1 <pid in ${path.join(settings.dataDir, 'stack.json')}>, then 127.0.0.1:9229.`,
      '',
    ].join('\n');
  }

  private follow(service: ServiceName): void {
    const { settings, print, stop } = this.options;
    const log = logFile(dataFolderAt(settings.dataDir), service);
    followLog(log, (line) => print(`${service} | ${line}`), stop).catch((error: unknown) =>
      print(`${log} cannot be followed: ${String(error)}`),
    );
  }

  private watch(): ChildProcess {
    const { programs, services } = this.options;
    const root = path.dirname(programs);
    const folders = [...services.map((service) => `apps/${service}`), 'libs'];
    return fork(path.join(root, 'deploy/build/watch.mjs'), folders, { cwd: root, execArgv: [] });
  }

  private onSave({ files, savedAt, problem }: Saved, supervisor: Supervisor, stack: Stack): void {
    const { services, print, stop } = this.options;
    if (problem !== undefined) return print(`${problem}\nThe processes keep running with the previous code.`);
    if (files.some((file) => file.includes('/migrations/'))) {
      print(
        'A migration was saved: npm run dev applies migrations when it starts. Stop it with Ctrl-C, and run it again.',
      );
    }
    // If a restarted process fails to start, the next restart replaces it.
    this.latest.abort();
    this.latest = new AbortController();
    const { signal } = this.latest;
    const concerned = services.filter((service) =>
      files.some((file) => file.startsWith('libs/') || file.startsWith(`apps/${service}/`)),
    );
    for (const service of concerned) {
      for (const name of supervisor.names.filter((each) => each.replace(/-\d+$/, '') === service)) {
        this.replace(supervisor, stack, { name, savedAt, signal }).catch(
          (error: unknown) => signal.aborted || stop.aborted || print(String(error)),
        );
      }
    }
  }

  private async replace(
    supervisor: Supervisor,
    { processes }: Stack,
    { name, savedAt, signal }: { name: string; savedAt: number; signal: AbortSignal },
  ): Promise<void> {
    await supervisor.replace(name, STOP_WITHIN_MS);
    const url = processes[name]?.health_url ?? '';
    const isReady = await waitUntil(() => answersOk(url), {
      timeoutMs: READY_WITHIN_MS,
      intervalMs: READY_INTERVAL_MS,
      signal: AbortSignal.any([signal, this.options.stop]),
    });
    if (isReady) this.options.print(`${name} restarted, ${Date.now() - savedAt} ms after the save.`);
  }
}
