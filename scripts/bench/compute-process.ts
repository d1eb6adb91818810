/**
 * Command: computes what is due of a store up to an instant. Prints the processor time that this took in seconds, and the
 * memory of the process in MB: at most, and before it began.
 */
import { compute } from '../../src/compute/compute.ts';
import { openStore } from '../../src/store/store.ts';
import { mostMemory } from './most-memory.ts';
import { timed } from './processor-time.ts';

const [path = '', now = ''] = process.argv.slice(2);
const store = openStore(path);
const before = mostMemory();
const { took } = timed(() => compute(store, Number(now), () => {}));
store.close();
process.stdout.write(`${took} ${mostMemory()} ${before}`);
