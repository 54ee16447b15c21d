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

/** A process that is not done by then is killed: what it was doing is taken up again, as after any crash. */
const STOP_WITHIN_MS = 500;
const READY_WITHIN_MS = 60_000;
const READY_INTERVAL_MS = 25;

/** What deploy/build/watch.mjs tells about one save. */
interface Saved {
  files: string[];
  savedAt: number;
  /** Why a file does not compile. */
  problem?: string;
}

export interface SourceLoopOptions extends Omit<LauncherOptions, 'development'> {
  services: ServiceName[];
  inspectPorts: Development['inspectPorts'];
}

/** Compiles what is saved, and replaces the processes of the services that it concerns. The others keep running. */
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
    // Its first message says that it watches: a save before that would be missed.
    watcher.once('message', () => {
      print(this.introduction());
      watcher.on('message', (saved: Saved) => this.onSave(saved, supervisor, stack));
    });
    watcher.on(
      'exit',
      () => stop.aborted || print('The watcher ended: saves restart nothing any more. Run npm run dev again.'),
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
    if (problem !== undefined) return print(`${problem}\nThe processes of before keep running.`);
    if (files.some((file) => file.includes('/migrations/'))) {
      print(
        'A migration was saved: npm run dev applies migrations when it starts. Stop it with Ctrl-C, and run it again.',
      );
    }
    // A restart whose process does not come up is given up for the next one.
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
