import type { Command } from 'commander';
import type { CommandContext, ExitCode } from '../commands/context.ts';

/** What each group of commands is built with. */
export interface CommandBuilder {
  /** Adds a command. */
  command(name: string, description: string): Command;
  /** Wraps a command's function into an action: it gets the context, then its arguments as commander passes them. */
  act<Arguments extends unknown[]>(
    run: (context: CommandContext, ...args: Arguments) => ExitCode | Promise<ExitCode>,
  ): (...args: Arguments) => Promise<void>;
}
