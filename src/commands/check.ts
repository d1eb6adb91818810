import { readDefinitionFiles } from '../store/definitions/definition-files.ts';
import { problemLine } from './adopt.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';

/** Validates the definitions of a folder and shows every problem with its file and place. */
export function checkCommand(context: CommandContext, folder: string): ExitCode {
  const { indices, rates, problems } = readDefinitionFiles(folder);
  const found = problems.length === 0 ? 'no problems' : `${problems.length} problem(s)`;
  tell(context, { indices: indices.length, rates: rates.length, problems }, [
    ...problems.map(problemLine),
    `${folder}: ${indices.length} indices, ${rates.length} rates, ${found}`,
  ]);
  return problems.length === 0 ? EXIT.complete : EXIT.usage;
}
