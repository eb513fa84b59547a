import { referral } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { Content } from '../adapter.ts'

const text = z.string()
/** As WhatsApp tells of it, and as pages and Instagram do (`ads_context_data`). */
export const toldReferral = z.object({
  source_url: loose(text),
  source_id: loose(text),
  source_type: loose(text),
  headline: loose(text),
  body: loose(text),
  ctwa_clid: loose(text),
  ad_id: loose(text),
  source: loose(text),
  ads_context_data: loose(z.object({ ad_title: loose(text) })),
})

/** What a message came by; a link of ours that somebody opened (`ref`) is none. */
export const referralIn = (told: z.output<typeof toldReferral> | undefined): Pick<Content, 'referral'> => {
  const { source_url, source_id, ad_id, ads_context_data: ad, headline, body = '', ctwa_clid } = told ?? {}
  if (!source_url && !source_id && !ad_id) return {}
  const url = referral.shape.url.safeParse(source_url).data ?? null
  const { data } = referral.safeParse({
    kind: told?.source_type === 'post' ? 'post' : 'ad',
    title: cutText(headline ?? ad?.ad_title ?? '', 300),
    body: cutText(body, 1_000),
    url,
    sourceId: (source_id ?? ad_id)?.slice(0, 200) ?? null,
    clickId: ctwa_clid?.slice(0, 500) ?? null,
  })
  return data ? { referral: data } : {}
}
