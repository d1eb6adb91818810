/** A query parameter: omitted when undefined, repeated for a list. */
export type Parameter = string | number | boolean | undefined | readonly string[];

/** The URL of a request, with encoded parameters. @param base without a trailing slash */
export function urlOf(base: string, path: string, parameters: Record<string, Parameter> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (typeof value === 'object') for (const each of value) query.append(name, each);
    else if (value !== undefined) query.append(name, String(value));
  const text = query.toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}
