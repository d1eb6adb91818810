import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSmallApp, type SmallApp } from '../helpers/small-app.ts';
import { fuzz } from './fuzz.ts';

let app: SmallApp;
beforeAll(() => {
  app = openSmallApp();
});
afterAll(() => app.small.close());

it('[8/1] whatever is requested, answers keep to the document: no server error, no other status, no other shape', async () => {
  await fuzz(app, 3_000, 20_261_121);
  expect(app.reported).toEqual([]);
});
