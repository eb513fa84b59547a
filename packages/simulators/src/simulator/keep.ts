const keptRecords = 5_000

/** At most a few thousand stay, the newest. */
export const keep = <T>(list: T[], item: T) => {
  list.push(item)
  if (list.length > keptRecords * 2) list.splice(0, keptRecords)
}
