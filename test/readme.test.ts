import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildProgram } from '../src/cli.ts';
import { config } from '../src/model/config.ts';
import { indexDefinition } from '../src/model/definitions/index-definition.ts';
import { leagueDefinition } from '../src/model/definitions/league-definition.ts';
import { rateDefinition } from '../src/model/definitions/rate-definition.ts';

const ROOT = join(import.meta.dirname, '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const operating = readFileSync(join(ROOT, 'data/operating.md'), 'utf8');

/** Every setting with its default as JSON, by its name with dots; undefined for one that has none. */
function settingsOf(schema: z.core.JSONSchema.JSONSchema, place = ''): [string, string | undefined][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, each]) => {
    if (typeof each === 'boolean') return [];
    const name = place + key;
    return each.properties ? settingsOf(each, `${name}.`) : [[name, JSON.stringify(each.default)]];
  });
}

interface Row {
  names: string[];
  defaults: string[];
  text: string;
}

/** The rows of the table of settings; a name without a dot stands beside one with its parent. */
function tableOfSettings(): Row[] {
  const [, section = ''] = operating.split('\n## Configuration\n');
  const [table = ''] = section.slice(section.indexOf('|---')).split('\n\n');
  return table
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, first = '', second = '', text = ''] = line.split('|');
      const names = [...first.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
      const parent = names[0]?.split('.').slice(0, -1).join('.');
      return {
        names: names.map((name, i) => (i === 0 || name.includes('.') ? name : `${parent}.${name}`)),
        defaults: second.replaceAll('`', '').trim().split(', '),
        text,
      };
    });
}

describe('the table of settings', () => {
  const settings = new Map(settingsOf(z.toJSONSchema(config, { io: 'input' })));
  settings.delete('$schema');
  const rows = tableOfSettings();
  const named = rows.flatMap(({ names }) => names);
  const covers = (name: string, setting: string) =>
    name === setting || (name.endsWith('.*') && setting.startsWith(name.slice(0, -1)));

  it('names only settings that exist', () => {
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => ![...settings.keys()].some((each) => covers(name, each)))).toEqual([]);
  });

  it('names every setting, or the group that it belongs to', () => {
    const missing = [...settings.keys()].filter((setting) => !named.some((name) => covers(name, setting)));
    expect(missing).toEqual([]);
  });

  it('lists every setting of a group', () => {
    const missing = rows.flatMap(({ names, text }) =>
      names
        .filter((name) => name.endsWith('.*'))
        .flatMap((group) => [...settings.keys()].filter((setting) => covers(group, setting)))
        .filter((setting) => !text.includes(`\`${setting.split('.').at(-1)}\``)),
    );
    expect(missing).toEqual([]);
  });

  it('states the actual defaults', () => {
    const held = ({ names, defaults }: Row) =>
      names.map((name, i) => {
        const value = settings.get(name)?.replaceAll('"', '');
        return value === undefined || value === '' ? defaults[i] : value === '[]' ? 'none' : value;
      });
    const plain = rows.filter(({ names }) => !names.some((name) => name.endsWith('.*')));
    expect(plain.length).toBeGreaterThan(15);
    for (const row of plain) expect(row.defaults, row.names.join()).toEqual(held(row));
  });
});

it('the definitions in the README are valid, and their schemas exist, seen from a folder of a clone', () => {
  const [, section = ''] = readme.split('\n### Definitions\n');
  const [chapter = ''] = section.split('\n## ');
  const [index, rate, league] = [...chapter.matchAll(/```json\n(.*?)```/gs)].map(
    (match) => JSON.parse(match[1] ?? '') as { $schema: string },
  );
  expect(indexDefinition.safeParse(index).error).toBeUndefined();
  expect(rateDefinition.safeParse(rate).error).toBeUndefined();
  expect(leagueDefinition.safeParse(league).error).toBeUndefined();
  for (const each of [index, rate, league])
    expect(existsSync(join(ROOT, 'definitions/indices', each?.$schema ?? '')), each?.$schema).toBe(true);
});

it('the settings shown to operators are valid', () => {
  const blocks = [...operating.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => JSON.parse(block));
  expect(blocks.length).toBeGreaterThan(1);
  for (const block of blocks) expect(config.safeParse(block).error, JSON.stringify(block)).toBeUndefined();
});

it('the lines of a run that call for action are such as the program writes', () => {
  const [, after = ''] = operating.split('Lines of a run or of `serve` that call for action:\n');
  const [table = ''] = after.slice(after.indexOf('|---')).split('\n\n');
  const lines = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(9);
  const source = ['commands', 'store', 'publish', 'serve']
    .flatMap((room) =>
      readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(room, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .join('\n');
  // What stands between the parts that differ from run to run.
  const parts = lines.flatMap((line) => line.split(/…|<[^>]+>| {2,}/).map((part) => part.trim()));
  expect(parts.filter((part) => part.length > 2 && !source.includes(part))).toEqual([]);
});

describe('commands in the documents', () => {
  const program = buildProgram(() => {});
  const named = (parent: Command, name: string) => parent.commands.find((each) => each.name() === name);

  /** What a documented call has that its command does not know; undefined when it is not a call of a command. */
  function unknownIn(call: string): string[] | undefined {
    const words = call.trim().split(/\s+/);
    const first = words.findIndex((word) => named(program, word));
    if (first < 0 || words.slice(0, first).some((word) => !/^(--config|--now|.*[.:].*)$/.test(word)))
      return undefined;
    const group = named(program, words[first] ?? '');
    const command = group?.commands.length ? named(group, words[first + 1] ?? '') : group;
    if (!command) return words.length > first + 1 ? words : [];
    const known = [...program.options, ...command.options].map(({ long }) => long);
    return words.filter((word) => word.startsWith('--') && !known.includes(word.replace(/[,;]$/, '')));
  }

  it.each(['README.md', 'CHANGELOG.md', 'data/operating.md', 'data/methodology.md'])(
    '%s shows only commands and options that exist',
    (document) => {
      const text = readFileSync(join(ROOT, document), 'utf8');
      const lines = [...text.matchAll(/(?:foremark --|main\.mjs) ([^#&|>\n]+)/g)];
      const inline = [...text.matchAll(/`([^`\n]+)`/g)];
      const calls = [...lines, ...inline].map(([, call = '']) => call);
      const checked = calls.map((call) => [call, unknownIn(call)] as const).filter(([, unknown]) => unknown);
      expect(checked.length).toBeGreaterThan(2);
      expect(checked.filter(([, unknown]) => unknown?.length)).toEqual([]);
    },
  );

  it('the table of the README names only options that the command has', () => {
    const [section = ''] = readme.split('\n## Commands\n')[1]?.split('\n## ') ?? [];
    const rows = [...section.matchAll(/^\| `(\w+)[^|]*\|([^|]*)\|$/gm)];
    expect(rows.length).toBe(program.commands.length);
    for (const [, name = '', text = ''] of rows) {
      const command = named(program, name);
      const options = [command, ...(command?.commands ?? [])].flatMap((each) => each?.options ?? []);
      const missing = [...text.matchAll(/--[a-z-]+/g)].filter(
        ([o]) => !options.some(({ long }) => long === o),
      );
      expect(missing.map(String), name).toEqual([]);
    }
  });
});

it('the README names every script of package.json that somebody runs', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const own = Object.keys(scripts).filter((name) => name !== 'build' && name !== 'prepack');
  expect(own.filter((name) => !new RegExp(`(\`|npm (run )?(-s )?)${name}\\b`).test(readme))).toEqual([]);
});

describe.each([
  'README.md',
  'CHANGELOG.md',
  'data/operating.md',
  'data/methodology.md',
  'test/real/README.md',
])('%s', (document) => {
  /** The anchors that a page gives its headings. */
  const anchorsOf = (path: string) =>
    [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it('link only to files and headings that exist', () => {
    const path = join(ROOT, document);
    const links = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(path, '..', file);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});
