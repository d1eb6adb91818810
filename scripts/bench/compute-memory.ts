/** Command: computes what is due of a store up to an instant, and says how much memory its process took. */
import { compute } from '../../src/compute/compute.ts';
import { openStore } from '../../src/store/store.ts';
import { mostMemory } from './most-memory.ts';

const [path = '', now = ''] = process.argv.slice(2);
const store = openStore(path);
const before = mostMemory();
compute(store, Number(now), () => {});
store.close();
process.stdout.write(`${mostMemory()} MB at most, ${before} MB before it began`);
