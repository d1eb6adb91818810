type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** The fields of a record without those that are null or undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const found: Given<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) found[name] = value as NonNullable<typeof value>;
  }
  return found;
}
