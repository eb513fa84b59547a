/** One installation may be known by several names: what follows the name says whom a webhook calls. */
export const isSamePlace = (one: string, other: string): boolean => pathOf(one) === pathOf(other)
const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : url)
