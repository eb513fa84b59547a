/** The beginning of a text, never with half of a pair at its end: JSON with it is refused by PostgreSQL. */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
