import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { webchatLook } from '@balcao/contract/channels/webchat-look.ts'
import type { previewLinkBody } from '@balcao/contract/intake/webchat.ts'
import type { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { isSame, sign } from '../../../kit/crypto.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { isAllowedSite, type Webchat } from './site.ts'
import { requireWebchat } from './site-check.ts'

const livesMs = 60 * 60_000
/** Proxies cut longer addresses. */
export const longestDraft = 6_000
const maxBytes = 200_000

/**
 * A look that is not saved, inside the address of a page of the site: signed, for an hour, and for this web chat alone. It
 * needs no place on the server, and stands behind # so that the site never sees it.
 */
export const linkToDraft = async (
  actor: Actor,
  connectionId: string,
  { address, look }: z.output<typeof previewLinkBody>,
) => {
  const webchat = await requireWebchat(actor, connectionId)
  const url = new URL(address)
  if (!isAllowedSite(url.origin, webchat.config))
    throw fieldErrors({ path: 'address', message: 'Este domínio não está entre os autorizados do canal.' })
  const packed = deflateRawSync(JSON.stringify(look)).toString('base64url')
  const until = Date.now() + livesMs
  const draft = `${until}.${packed}.${signatureOf(webchat, until, packed)}`
  if (draft.length > longestDraft)
    throw fieldErrors({
      path: 'address',
      message: 'O rascunho é grande demais para um link. Salve antes de experimentar.',
    })
  url.hash = `balcao-previa=${draft}`
  return { url: url.href }
}

/** The web chat as drawn up in the draft; as it is saved when there is none, or its hour is over. */
export const withDraft = (webchat: Webchat, draft: string | null | undefined): Webchat => {
  const [until = '', packed = '', signature = ''] = draft?.split('.') ?? []
  if (!signature || !isSame(signature, signatureOf(webchat, Number(until), packed)) || Number(until) < Date.now())
    return webchat
  const look = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: maxBytes }).toString())
  const { proactive, ...rest } = webchatLook.parse(look)
  // Seen in a draft is not seen: each is a message of its own, and may come again.
  const offers = proactive.map((one) => ({ ...one, id: `${one.id.slice(0, 20)}-${until}`, repeat: 'always' as const }))
  return { ...webchat, config: { ...webchat.config, ...rest, proactive: offers } }
}

const signatureOf = ({ id }: Webchat, until: number, packed: string) =>
  sign('webchat-draft', `${id}.${until}.${packed}`)
