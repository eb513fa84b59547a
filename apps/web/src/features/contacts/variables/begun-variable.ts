/** What stands behind the last `{{` of a text that ends at the cursor, where that is no whole placeholder yet. */
export const begunVariable = (before: string): string | null => /\{\{\s*([\w.]{0,40})$/.exec(before)?.[1] ?? null
