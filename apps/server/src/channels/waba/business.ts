import type { BusinessProfile } from '@balcao/contract/channels/business.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { createGraph, type Refusal } from '../meta/graph.ts'
import { refusal, ruleOf } from './errors.ts'
import type { Context } from './graph.ts'
import { uploaded, uploadSession } from './templates.ts'

/** A refusal here is of what somebody typed: said as Meta says it. 133xxx: waba-meta.md §8; 136xxx: general knowledge. */
const codes: Record<number, string> = {
  133005: 'O PIN não é o deste número. Confira, ou redefina-o no Gerenciador do WhatsApp.',
  133006: 'Antes de registrar, confirme o número com o código enviado por SMS ou ligação.',
  133008: 'PIN errado muitas vezes. Espere antes de tentar de novo.',
  133009: 'O PIN foi digitado rápido demais. Espere um pouco.',
  133010: 'O número ainda não está registrado.',
  133015: 'Este número foi removido há pouco. Espere 5 minutos para registrar de novo.',
  133016: 'Registros demais em pouco tempo. Espere 72 horas.',
  136024: 'A Meta não enviou o código: houve pedidos demais. Espere e tente de novo.',
  136025: 'O código não é o que foi enviado. Confira e digite de novo.',
}
const typedWrongly = (no: Refusal): ChannelError => {
  const known = codes[no.code ?? 0]
  if (known) return new ChannelError('final', known)
  const rule = no.code === undefined ? undefined : ruleOf(no.code)
  const isTheirs = !rule || (rule.outcome === 'final' && !rule.isConnectionBroken)
  if (!isTheirs || no.code === undefined) return refusal(no)
  const why = no.advice ?? no.details
  return new ChannelError(
    'final',
    why ? `A Meta não aceitou: ${why}` : 'A Meta não aceitou. Confira o que foi digitado.',
  )
}
const { graph } = createGraph(typedWrongly)

const post = async (context: Context, path: string, body: object) => {
  await graph(
    context,
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', ...body }),
    },
    true,
  )
}

const text = z.string()
const profile = z.object({
  data: z
    .array(
      z.object({
        about: loose(text),
        address: loose(text),
        description: loose(text),
        email: loose(text),
        websites: loose(z.array(text)),
        vertical: loose(text),
        profile_picture_url: loose(text),
      }),
    )
    .min(1),
})
const number = z.object({
  display_phone_number: loose(text),
  verified_name: loose(text),
  name_status: loose(text),
  status: loose(text),
  code_verification_status: loose(text),
  throughput: loose(z.object({ level: loose(text) })),
})

/** Profile, registration and two-step PIN of a number (waba-meta.md §2). */
export const businessAccount: NonNullable<ChannelAdapter<'waba'>['businessAccount']> = {
  profile: async (context) => {
    const fields = 'about,address,description,email,profile_picture_url,websites,vertical'
    const path = `${context.config.phoneNumberId}/whatsapp_business_profile?fields=${fields}`
    const [one] = profile.safeParse((await graph(context, path, {}, true)).json()).data?.data ?? []
    if (!one) throw new ChannelError('retry', 'A Meta não entregou o perfil agora.')
    return {
      about: one.about ?? '',
      address: one.address ?? '',
      description: one.description ?? '',
      email: one.email ?? '',
      websites: one.websites ?? [],
      vertical: one.vertical ?? '',
      pictureUrl: one.profile_picture_url ?? null,
    }
  },
  changeProfile: async ({ profile: given, picture }, context) => {
    const { vertical, ...rest } = given
    const handle = picture && (await uploaded(context, await uploadSession(context, picture), await picture.bytes()))
    const change: Partial<BusinessProfile> & { profile_picture_handle?: string } = { ...rest }
    if (vertical) change.vertical = vertical
    if (handle) change.profile_picture_handle = handle
    await post(context, `${context.config.phoneNumberId}/whatsapp_business_profile`, change)
  },
  number: async (context) => {
    const fields = 'display_phone_number,verified_name,name_status,status,code_verification_status,throughput'
    const answer = await graph(context, `${context.config.phoneNumberId}?fields=${fields}`, {}, true)
    const one = number.safeParse(answer.json()).data ?? {}
    return {
      phone: one.display_phone_number ?? '',
      name: one.verified_name ?? '',
      nameStatus: one.name_status ?? null,
      status: one.status ?? null,
      isVerified: one.code_verification_status === 'VERIFIED',
    }
  },
  requestCode: ({ method }, context) =>
    post(context, `${context.config.phoneNumberId}/request_code`, { code_method: method, language: 'pt_BR' }),
  verifyCode: ({ code }, context) => post(context, `${context.config.phoneNumberId}/verify_code`, { code }),
  register: ({ pin }, context) => post(context, `${context.config.phoneNumberId}/register`, { pin }),
  deregister: (context) => post(context, `${context.config.phoneNumberId}/deregister`, {}),
  setPin: ({ pin }, context) => post(context, context.config.phoneNumberId, { pin }),
  setSip: ({ isEnabled, server }, context) => {
    const status = isEnabled ? 'ENABLED' : 'DISABLED'
    const sip = { status, ...(server && { servers: [server] }) }
    return post(context, `${context.config.phoneNumberId}/settings`, { calling: { ...(isEnabled && { status }), sip } })
  },
  ownWebhook: (context) =>
    post(context, `${context.config.wabaId}/subscribed_apps`, {
      override_callback_uri: context.webhookUrl,
      verify_token: context.config.verifyToken,
    }),
}
