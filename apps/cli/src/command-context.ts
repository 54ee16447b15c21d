import type { Command } from 'commander';
import type { Clock } from '@kinora/service-kit/without-nest';
import type { Report } from './output/report';
import type { StackClient } from './stack/stack-client';

export interface CommandContext {
  stack: StackClient;
  clock: Clock;
  /** Called once by each command. */
  print: (report: Report) => void;
  /**
   * Prints a line of the report as soon as it is known, in text mode only; with `--json` the report is printed once.
   */
  show: (line: string) => void;
  /** Prints progress beside the report. */
  printNotice: (line: string) => void;
}

export type AddCommands = (program: Command, context: CommandContext) => void;
