import type { Command } from 'commander';
import type { CommandContext, ExitCode } from '../commands/context.ts';

/** What a group of commands is made with. */
export interface Tools {
  /** Adds a command. */
  command(name: string, description: string): Command;
  /** What a command does with its context and with its arguments as commander hands them over. */
  act<Arguments extends unknown[]>(
    run: (context: CommandContext, ...args: Arguments) => ExitCode | Promise<ExitCode>,
  ): (...args: Arguments) => Promise<void>;
}
