import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/routes/description/openapi.ts';
import { referenceOf } from '../../src/routes/reference.ts';

const DESCRIPTION = openApiDocument();
const paths = referenceOf(DESCRIPTION).flatMap((group) => group.paths);
const pathOf = (path: string) => paths.find((each) => each.path === path);

describe('the description as reference pages read it', () => {
  it('has every path once', () => {
    expect(paths.map((each) => each.path).sort()).toEqual(Object.keys(DESCRIPTION.paths).sort());
  });

  it('says in one line what a parameter may be', () => {
    const { parameters } = pathOf('/api/v1/public/indices') ?? {};
    expect(parameters?.map(({ name, allowed }) => [name, allowed])).toEqual(
      expect.arrayContaining([
        ['per_page', 'integer 1–500, 100 when left out'],
        ['search', 'string of up to 200 characters'],
        ['window', '1d, 7d, 30d, 90d, 7d when left out'],
      ]),
    );
  });

  it('explains each status and names the shape of the answer, and whether a key is needed', () => {
    const { answers, needsKey } = pathOf('/api/v1/public/indices/{id}') ?? {};
    expect(needsKey).toBe(false);
    expect(answers).toContainEqual({
      status: '404',
      description: 'There is no such id that you may read, or no document published by as_of is kept',
      shape: undefined,
    });
    const shape = answers?.find((each) => each.status === '200')?.shape ?? '';
    expect(Object.keys(DESCRIPTION.components.schemas)).toContain(shape);
    expect(pathOf('/api/v1/indices/{id}')?.needsKey).toBe(true);
  });
});
