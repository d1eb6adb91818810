/**
 * Command: computes everything in a store that is due up to an instant. Prints the processor time that this took, in
 * seconds, and the memory of the process in MB: its peak, and that before the calculation.
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
