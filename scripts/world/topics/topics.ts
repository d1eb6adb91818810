import { boxOffice } from './box-office.ts';
import { centralBanks } from './central-banks.ts';
import { crypto } from './crypto.ts';
import { economy } from './economy.ts';
import { houseDistricts } from './house-districts.ts';
import { leagues } from './leagues.ts';
import { rainfall } from './rainfall.ts';
import type { Topic } from './topic.ts';
import { usStates } from './us-states.ts';
import { weather } from './weather.ts';

/** Every topic of the world; the ones that grow with its size come last. */
export const TOPICS: Topic[] = [
  usStates,
  centralBanks,
  leagues,
  economy,
  boxOffice,
  rainfall,
  crypto,
  weather,
  houseDistricts,
];
