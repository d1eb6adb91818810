import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli.ts';
import { takeRunLock } from '../src/store/run-lock.ts';
import { ofEachTest } from './helpers/of-each-test.ts';
import { runCli } from './helpers/run-cli.ts';
import { runHere } from './helpers/run-here.ts';
import { openSmallWorkspace, write } from './helpers/small-workspace.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

let empty: string;
beforeEach(() => {
  empty = temporaryFolder();
});
const workspace = ofEachTest(openSmallWorkspace);

const inEmpty = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { cwd: empty, env });

function paths(command: Command, before: string[] = []): string[][] {
  return command.commands.flatMap((each) => [
    [...before, each.name()],
    ...paths(each, [...before, each.name()]),
  ]);
}

describe('help', () => {
  const commands = paths(buildProgram(() => {}));

  it('[C/1] of every command is on standard output and exits 0', async () => {
    expect(commands.length).toBeGreaterThan(13);
    for (const path of [[], ...commands]) {
      const { code, out, err } = await inEmpty([...path, '--help']);
      expect([code, err], path.join(' ')).toEqual([0, '']);
      expect(out).toContain(`Usage: foremark${path.map((name) => ` ${name}`).join('')}`);
      expect(out.split('\n').filter(Boolean).length, path.join(' ')).toBeGreaterThan(3);
      for (const option of ['--config', '--now', '--json']) expect(out, path.join(' ')).toContain(option);
    }
  });

  it('[C/1] of a command says which options it needs', async () => {
    for (const [path, needed] of [
      ['announce', ['--type', '--title', '--body']],
      ['keys create', ['--organization']],
      ['explain', []],
    ] as const) {
      const { out } = await inEmpty([...path.split(' '), '--help']);
      const options = out.split(/\n(?= {2}-)/).filter((text) => text.includes('(required)'));
      expect(
        options.map((text) => text.trim().split(' ')[0]),
        path,
      ).toEqual(needed);
    }
  });

  it('[C/1] names every stage and every exit code, and the README names every command', async () => {
    const { code, out, err } = await runCli(['--help'], { cwd: empty });
    expect([code, err]).toEqual([0, '']);
    for (const stage of ['run', 'ingest', 'compute', 'publish', 'serve'])
      expect(out).toMatch(new RegExp(`^  ${stage} `, 'm'));
    for (const exit of [0, 1, 2, 3, 4]) expect(out).toMatch(new RegExp(`\\b${exit} `));
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    for (const [name] of commands) expect(readme, name).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
  });
});

it('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  expect(await inEmpty(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
});

describe('wrong usage exits 2 and says what was wrong', () => {
  it.each([
    [['nope'], 'nope'],
    [[], 'Usage'],
    [['keys'], 'Usage'],
    [['explain'], 'ticker'],
    [['keys', 'create'], '--organization'],
    [['keys', 'create', '--organization', 'x', '--scope', 'all'], 'markets:read'],
    [['--now', 'yesterday', 'status'], 'yesterday'],
    [['explain', 'SMALL', '--at', '2026-13-01'], '2026-13-01'],
    [['keys', 'create', '--organization', ' '], 'must not be blank'],
    [['announce', '--type', 'corporate_action', '--title', '', '--body', 'b'], '--title'],
    [['announce', '--type', 'corporate_action', '--title', 't', '--body', ''], '--body'],
    [['announce', '--type', 'corporate_action', '--title', 't\u202e', '--body', 'b'], '--title'],
    [['--config', '', 'status'], 'must not be blank'],
    [['check', ''], 'must not be blank'],
    [['mirror', ''], 'must not be blank'],
    [['suggest', 'rates', '--folder', ''], 'must not be blank'],
    [['demo', '--folder', ''], 'must not be blank'],
    [['backfill', '--to', '2026-07-06'], '--every'],
    [['backfill', '--every', '60', '--from', '2026-07-07', '--to', '2026-07-06'], 'must not be before from'],
    [['verify', '--from', '2026-07-07', '--to', '2026-07-06'], 'must not be before from'],
    [['prune', '--keep-generations', '1'], '2 or more'],
    [['demo', '--port', '70000'], '70000'],
    [['demo', '--port', ''], '0 to 65535'],
    [['run', '--nope'], '--nope'],
    [['--config', 'missing.json', 'status'], 'missing.json: the file does not exist'],
  ])('[C/1] %j', async (args, told) => {
    const { code, out, err } = await inEmpty(args);
    expect(code).toBe(2);
    expect(err).toContain(told);
    expect(out).toBe('');
  });

  it('[C/1] for a misspelt setting and a bad variable', async () => {
    writeFileSync(join(empty, 'wrong.json'), '{"stroe":"x"}');
    expect(await runCli(['--config', 'wrong.json', 'status'], { cwd: empty })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^foremark: wrong\.json: stroe: there is no such key, only .*\bstore, .+\n$/,
      ),
    });
    expect(await inEmpty(['status'], { FOREMARK_SERVE__PORT: 'many' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('FOREMARK_SERVE__PORT: serve.port: '),
    });
  });

  it('[C/1] for a settings file that is a folder, or a link that leads nowhere', async () => {
    mkdirSync(join(empty, 'foremark.json'));
    expect(await inEmpty(['status'])).toEqual({
      code: 2,
      out: '',
      err: 'foremark: foremark.json: must be a file\n',
    });
    rmdirSync(join(empty, 'foremark.json'));
    symlinkSync('unmounted/foremark.json', join(empty, 'foremark.json'));
    expect(await inEmpty(['status'])).toEqual({
      code: 2,
      out: '',
      err: 'foremark: foremark.json: the file does not exist\n',
    });
  });

  it('[C/1] for a definition: check names file and place, run leaves it out, does the rest and exits 2', async () => {
    const own = openSmallWorkspace();
    write(own.folder, 'definitions/indices/9.json', { ticker: 'lower', constituens: [] });
    const checked = await own.run('check');
    expect(checked.code).toBe(2);
    expect(checked.out).toMatch(/definitions\/indices\/9\.json at methodology: /);
    expect(checked.out).toContain('5 indices, 5 rates');
    const ran = await own.run('run');
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/definition left out: definitions\/indices\/9\.json at methodology: /);
    expect(ran.out).toContain('publish  generation 1');
    own.close();
  });
});

it('[C/1] a finished command leaves nothing open that keeps its process alive', async () => {
  workspace.publishCards();
  for (const command of ['run', 'rebuild', 'verify', 'mirror copy'])
    expect((await workspace.runAlone(...command.split(' '))).code, command).toBe(0);
});

it('an empty list of keys says so', async () => {
  await inEmpty(['compute']);
  expect(await inEmpty(['keys', 'list'])).toMatchObject({
    code: 0,
    out: '',
    err: 'no key has been created yet\n',
  });
  expect(await inEmpty(['--json', 'keys', 'list'])).toMatchObject({ code: 0, out: '[]\n', err: '' });
});

describe('unusable resources', () => {
  it('[C/1] another run under way exits 3 at once and leaves the store alone', async () => {
    const unlock = takeRunLock(workspace.small.path);
    try {
      const refused = { code: 3, err: expect.stringContaining('another run is writing to') };
      expect(await workspace.runAlone('run')).toMatchObject(refused);
      for (const command of ['ingest', 'compute', 'publish'])
        expect(await workspace.run(command), command).toMatchObject(refused);
      expect((await workspace.run('status')).code).toBe(0);
    } finally {
      unlock();
    }
    expect((await workspace.run('compute')).code).toBe(0);
  });

  it('[C/1] a store that is invalid, missing or cannot be made exits 4, and reading makes none', async () => {
    writeFileSync(
      join(empty, 'text.db'),
      'not a database, but long enough to have a header of one'.repeat(20),
    );
    for (const store of ['text.db', 'text.db/below/store.db', '.'])
      expect(await inEmpty(['compute'], { FOREMARK_STORE: store }), store).toMatchObject({
        code: 4,
        err: expect.stringContaining(`store ${store}: `),
      });
    expect((await inEmpty(['compute'], { FOREMARK_STORE: 'text.db/below/store.db' })).err).toContain(
      'it and its folder must be writable, even to read it',
    );
    for (const args of [['status'], ['explain', 'X'], ['verify'], ['keys', 'list'], ['serve']])
      expect((await inEmpty(args)).code, args[0]).toBe(4);
    expect(existsSync(join(empty, 'foremark.db'))).toBe(false);
  });

  it('[C/1] a publication folder that is a file exits 4 and says which', async () => {
    const { code, err } = await runCli(['publish'], {
      cwd: workspace.folder,
      env: { FOREMARK_PUBLISH__FOLDER: 'foremark.json' },
    });
    expect(code).toBe(4);
    expect(err).toContain(join(workspace.folder, 'foremark.json'));
  });

  it('[C/1] a file in the place of a folder exits 4 and is named, without a stack', async () => {
    writeFileSync(join(empty, 'a-file'), '');
    expect(await inEmpty(['demo', '--folder', 'a-file', '--exit'])).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^foremark: E[A-Z]+: .*a-file.*\n$/),
    });
  });

  it.each([
    ['announce', '--type', 'corporate_action', '--title', 't', '--body', 'b'],
    ['keys', 'revoke', 'abc'],
    ['backfill'],
    ['rebuild'],
  ])('[C/1] %s without a store exits 4 and makes none: it may be the wrong folder', async (...args) => {
    expect(await inEmpty(args)).toMatchObject({
      code: 4,
      err: 'foremark: store foremark.db: the file does not exist; the first run creates it\n',
    });
    expect(readdirSync(empty)).toEqual([]);
  });

  it('[C/1] settings that the system does not let be read exit 4: they are not wrong', async () => {
    symlinkSync('foremark.json', join(empty, 'foremark.json'));
    for (const given of [[], ['--config', 'foremark.json']])
      expect(await inEmpty([...given, 'status'])).toMatchObject({
        code: 4,
        err: expect.stringMatching(/^foremark: ELOOP: .*'foremark\.json'\n$/),
      });
  });

  it('[C/1] an invalid address, or one in use, exits 2', async () => {
    const { code, err } = await runCli(['serve'], {
      cwd: workspace.folder,
      env: { FOREMARK_SERVE__HOST: '192.0.2.1' },
    });
    expect(code).toBe(2);
    expect(err).toContain('192.0.2.1');
  });
});
