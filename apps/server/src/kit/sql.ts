/** Adds a value to a statement and answers its placeholder. */
export type Bind = (value: unknown) => string

/** Collects the values of a statement that is put together piece by piece: every value is bound, none is ever text. */
export const binding = (): { values: unknown[]; bind: Bind } => {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
