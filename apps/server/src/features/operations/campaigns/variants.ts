import { type CampaignStep, pickerOf } from '@balcao/contract/operations/campaigns/content.ts'

/**
 * Which variant of a step somebody gets, each as often as its weight says and the same whoever asks; null: what is left of a
 * test, which takes the one that wins. `seed`: the recipient's own.
 */
export const variantOf = ({ variants, test }: CampaignStep, seed: string): number | null => {
  if (variants.length < 2) return 0
  const pick = pickerOf(seed)
  if (test && pick(100) >= test.percent) return null
  const drawn = pick(variants.reduce((sum, { weight }) => sum + weight, 0))
  const upTo = variants.map((_, at) => variants.slice(0, at + 1).reduce((sum, { weight }) => sum + weight, 0))
  return upTo.findIndex((end) => drawn < end)
}

type Fared = { variant: number; sent: number; wins: number }
/** The one that was read, or answered, most often for what was sent of it; of equals the first. */
export const winnerOf = (fared: readonly Fared[]): number => {
  const rate = ({ sent, wins }: Fared) => (sent ? wins / sent : 0)
  const [best] = fared.toSorted((a, b) => rate(b) - rate(a) || b.sent - a.sent || a.variant - b.variant)
  return best?.variant ?? 0
}
