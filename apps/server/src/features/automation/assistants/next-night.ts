import { momentAt, wallAfter, wallTimeOf } from '@balcao/contract/core/wall-time.ts'

/** Between three and four of the company's clock, not all at once. */
export const nextNight = (timezone: string): Date => {
  const [day] = wallAfter(wallTimeOf(new Date(), timezone), 1).split('T')
  return new Date(Date.parse(momentAt(`${day}T03:00`, timezone)) + Math.random() * 3_600_000)
}
