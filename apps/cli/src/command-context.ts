import type { Command } from 'commander';
import type { Report } from './output/report';
import type { StackClient } from './stack/stack-client';

/** What a command works with. */
export interface CommandContext {
  stack: StackClient;
  /** Called once by each command. */
  print: (report: Report) => void;
  /** A line of the report as soon as it is known, for people: a program gets the whole report, once. */
  show: (line: string) => void;
  /** Tells people how it goes, beside the report. */
  tell: (line: string) => void;
}

/** Each group of commands adds itself to the program. */
export type AddCommands = (program: Command, context: CommandContext) => void;
