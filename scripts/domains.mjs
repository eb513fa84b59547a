/** A feature's domain imports only domains of a lower rank. */
export const ranks = {
  core: 1,
  contacts: 2,
  channels: 2,
  conversations: 3,
  people: 4,
  service: 5,
  automation: 5,
  sales: 5,
  platform: 6,
  intake: 7,
  operations: 8,
  workspace: 9,
}

/** A domain, and those that may import it. */
export const dependentsOf = (domain) =>
  Object.keys(ranks).filter((other) => other === domain || ranks[other] > ranks[domain])
