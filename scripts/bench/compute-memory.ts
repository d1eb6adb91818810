/** Command: computes what is due of a store up to an instant, and says how much memory its process took. */
import { compute } from '../../src/compute/compute.ts';
import { openStore } from '../../src/store/store.ts';

const [path = '', now = ''] = process.argv.slice(2);
const mostSoFar = () => Math.round(process.resourceUsage().maxRSS / 1024);
const store = openStore(path);
const before = mostSoFar();
compute(store, Number(now), () => {});
store.close();
process.stdout.write(`${mostSoFar()} MB at most, ${before} MB before it began`);
