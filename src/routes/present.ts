import { toPlain } from '../model/units.ts';

/** A field that is present only when it has a value. */
export function present<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined | '',
): { [N in Name]?: Value } {
  return value === null || value === undefined || value === ''
    ? {}
    : ({ [name]: value } as { [N in Name]: Value });
}

/** A number as it is written to JSON, present only when it is known. */
export function presentNumber<Name extends string>(name: Name, value: number | null | undefined) {
  return present(name, typeof value === 'number' ? toPlain(value) : value);
}
