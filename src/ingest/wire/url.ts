/** A parameter: absent when undefined, repeated for a list. */
export type Parameter = string | number | boolean | undefined | readonly string[];

/** The URL of a request, its parameters encoded; a list becomes repeated keys. @param base without a slash at its end */
export function urlOf(base: string, path: string, parameters: Record<string, Parameter>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (typeof value === 'object') for (const each of value) query.append(name, each);
    else if (value !== undefined) query.append(name, String(value));
  const text = query.toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}
