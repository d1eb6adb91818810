import { routesOf } from '../route.ts';
import { publicIndexTickers, requestedIndex } from '../visibility.ts';

/** A route of one index, published for each public one. */
export const indexRoute = routesOf(requestedIndex, { documents: publicIndexTickers });
