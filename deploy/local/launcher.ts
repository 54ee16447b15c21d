import { once } from 'node:events';
import { keepCompiledCode } from '@kinora/service-kit/without-nest';
import { banner, readConfiguredBackends } from './banner';
import { openDataFolder, rotateLogs } from './data-folder';
import { followWebhookSecret } from './demo-account';
import { DiskWatch, assertDiskHasRoom, explainFullDisk } from './disk-space';
import type { LocalStackSettings } from './local-stack.config';
import { assertPortFree } from './preflight';
import { Supervisor, type SupervisorEvents } from './processes/supervisor';
import { RunRecord, stopStack } from './run-record';
import type { ServiceName } from './service-instance';
import { type Stack, StackFile } from './stack-file';
import { startStack } from './start-stack';

export interface LauncherOptions {
  settings: LocalStackSettings;
  programs: string;
  env: NodeJS.ProcessEnv;
  print: (text: string) => void;
  stop: AbortSignal;
  development?: Development;
}

/** Additions of a developer's stack. */
export interface Development {
  inspectPorts: Partial<Record<ServiceName, number>>;
  ready(supervisor: Supervisor, stack: Stack): void;
}

/** Starts everything, waits for the stop signal, stops everything. */
export async function runLocalStack({
  settings,
  programs,
  env,
  print,
  stop,
  development,
}: LauncherOptions): Promise<void> {
  const folder = await openDataFolder(settings.dataDir);
  const record = await RunRecord.claim(folder.runRecord);
  const stackFile = new StackFile(folder.stack);
  const supervisor = new Supervisor(followProcesses(record, stackFile, print));
  const disk = new DiskWatch(folder.root, print);
  stop.addEventListener('abort', () => print('Stopping: what is under way ends first, within ten seconds.'), {
    once: true,
  });
  try {
    await stackFile.remove();
    // Not earlier: before the folder was claimed, another stack could be writing there.
    await rotateLogs(folder);
    await assertPortFree(settings.port, 'KINORA_PORT');
    if (settings.consolePort !== null) await assertPortFree(settings.consolePort, 'KINORA_CONSOLE_PORT');
    await assertDiskHasRoom(folder.root);
    disk.start();
    print(`Starting Kinora with its data in ${settings.dataDir} …`);
    const inspectPorts = development?.inspectPorts ?? {};
    const stack = await startStack({ settings, programs, env, folder, supervisor, stop, inspectPorts, print });
    print(banner(stack, settings.dataDir, readConfiguredBackends(settings.configDir)));
    await stackFile.publish(stack);
    keepCompiledCode();
    development?.ready(supervisor, stack);
    followWebhookSecret(stack, stack.nats_url, {
      stop,
      rotated: (secret) => stackFile.updateWebhookSecret(secret),
    }).catch((error: unknown) => print(explain(error)));
    if (!stop.aborted) await once(stop, 'abort');
  } finally {
    disk.stop();
    // A stack file that stays is misleading; processes that stay, or an unreported error, are worse.
    await stackFile.remove().catch((error: unknown) => print(explain(error)));
    await stopStack(supervisor);
    await record.release();
  }
}

function followProcesses(record: RunRecord, stackFile: StackFile, print: (text: string) => void): SupervisorEvents {
  const printError = (error: unknown): void => print(explain(error));
  return {
    started({ name, stopSignal }, pid) {
      Promise.all([record.note(name, pid, stopSignal), stackFile.updatePid(name, pid)]).catch(printError);
    },
    exited({ name, logFile }, { code, signal }) {
      print(`${name} ended (${signal ?? `exit code ${code}`}) and is started again; its log is ${logFile}`);
    },
    startFailed({ name }, error) {
      print(`${name} cannot be started, next try soon:`);
      printError(error);
    },
  };
}

function explain(error: unknown): string {
  return explainFullDisk(error) ?? (error instanceof Error ? error.message : String(error));
}
