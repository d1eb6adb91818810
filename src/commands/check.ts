import { readDefinitionFiles } from '../store/definitions/definition-files.ts';
import { problemLine } from './adopt.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';

/** Validates the definitions of a folder and shows every problem with its file and place. */
export function checkCommand(context: CommandContext, folder: string): ExitCode {
  const { indices, rates, problems } = readDefinitionFiles(folder);
  if (context.json) context.out(JSON.stringify({ indices: indices.length, rates: rates.length, problems }));
  else {
    for (const problem of problems) context.out(problemLine(problem));
    const found = problems.length === 0 ? 'no problems' : `${problems.length} problem(s)`;
    context.out(`${folder}: ${indices.length} indices, ${rates.length} rates, ${found}`);
  }
  return problems.length === 0 ? EXIT.complete : EXIT.usage;
}
