/**
 * The parts that tell names apart, without the words that all of them begin or end with. If that leaves a name without
 * a word, all stay as they are.
 *
 * @example distinctParts(['Who wins Ohio in 2028?', 'Who wins Texas in 2028?']) // ['Ohio', 'Texas']
 */
export function distinctParts(names: readonly string[]): string[] {
  if (names.length < 2) return [...names];
  const words = names.map((name) => name.split(/\s+/));
  const shortest = Math.min(...words.map((each) => each.length));
  const same = (at: number) => words.every((each) => each.at(at) === words[0]?.at(at));
  let begin = 0;
  while (begin < shortest && same(begin)) begin++;
  let end = 0;
  while (end < shortest - begin && same(-1 - end)) end++;
  if (begin + end >= shortest) return [...names];
  return words.map((each) =>
    each
      .slice(begin, each.length - end)
      .join(' ')
      .replace(/[?,;:–-]+$/, '')
      .trim(),
  );
}
