import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { recordOf } from '../simulator.ts'
import { GraphError } from './errors.ts'
import type { State } from './state.ts'

type IdParam = { Params: { id: string } }
const business = z.literal('whatsapp')
const profileChange = z.strictObject({
  messaging_product: business,
  about: z.string().max(139).optional(),
  address: z.string().max(256).optional(),
  description: z.string().max(512).optional(),
  email: z.union([z.literal(''), z.email()]).optional(),
  websites: z.array(z.url().max(256)).max(2).optional(),
  vertical: z.string().optional(),
  profile_picture_handle: z.string().optional(),
})
const pinned = z.object({ messaging_product: business, pin: z.string().regex(/^\d{6}$/) })

const parse = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new GraphError(100, `${issue?.path.join('.')}: ${issue?.message}`)
}

/** The number's public profile, its registration with a two-step PIN, and whom it has blocked. */
export const addAccount = (api: FastifyInstance, state: State, ownPhone: (id: string) => void) => {
  const { account } = state

  api.get<IdParam>('/:id/whatsapp_business_profile', async (req) => {
    ownPhone(req.params.id)
    return { data: [{ messaging_product: 'whatsapp', ...account.profile }] }
  })
  api.post<IdParam>('/:id/whatsapp_business_profile', async (req) => {
    ownPhone(req.params.id)
    const { messaging_product: _, profile_picture_handle: handle, ...change } = parse(profileChange, req.body)
    if (handle && !state.handles.has(handle)) throw new GraphError(100, 'profile_picture_handle: unknown upload handle')
    Object.assign(account.profile, change, handle && { profile_picture_url: `${state.core.url}/picture/${handle}` })
    return { success: true }
  })
  api.post<IdParam>('/:id/request_code', async (req) => {
    ownPhone(req.params.id)
    parse(z.object({ code_method: z.enum(['SMS', 'VOICE']), language: z.string() }), req.body)
    account.code = String(randomInt(100_000, 999_999))
    account.isVerified = false
    return { success: true }
  })
  api.post<IdParam>('/:id/verify_code', async (req) => {
    ownPhone(req.params.id)
    const { code } = parse(z.object({ code: z.string() }), req.body)
    if (code !== account.code) throw new GraphError(136025, 'The code you entered is not correct')
    account.isVerified = true
    account.code = undefined
    return { success: true }
  })
  api.post<IdParam>('/:id/register', async (req) => {
    ownPhone(req.params.id)
    const { pin } = parse(pinned, req.body)
    if (!account.isVerified) throw new GraphError(133006, 'Phone number needs to be verified before registering')
    if (account.pin && account.pin !== pin) throw new GraphError(133005, 'Two step verification PIN mismatch')
    account.pin = pin
    account.isRegistered = true
    return { success: true }
  })
  api.post<IdParam>('/:id/deregister', async (req) => {
    ownPhone(req.params.id)
    account.isRegistered = false
    return { success: true }
  })
  const settings = z.object({
    calling: z.object({
      status: z.enum(['ENABLED', 'DISABLED']).optional(),
      sip: z.object({
        status: z.enum(['ENABLED', 'DISABLED']),
        servers: z
          .array(z.object({ hostname: z.string().min(3), port: z.int().min(1).max(65_535) }))
          .max(1)
          .optional(),
      }),
    }),
  })
  api.post<IdParam>('/:id/settings', async (req) => {
    ownPhone(req.params.id)
    account.calling = parse(settings, req.body).calling
    return { success: true }
  })
  const users = z.object({ messaging_product: business, block_users: z.array(z.object({ user: z.string() })).min(1) })
  api.get<IdParam>('/:id/block_users', async (req) => {
    ownPhone(req.params.id)
    return { data: [...account.blocked].map((wa_id) => ({ messaging_product: 'whatsapp', wa_id })) }
  })
  api.post<IdParam>('/:id/block_users', async (req) => {
    ownPhone(req.params.id)
    const added = parse(users, req.body).block_users.map(({ user }) => ({
      input: user,
      wa_id: user.replace(/\D/g, ''),
    }))
    for (const { wa_id } of added) account.blocked.add(wa_id)
    return { messaging_product: 'whatsapp', block_users: { added_users: added } }
  })
  api.delete<IdParam>('/:id/block_users', async (req) => {
    ownPhone(req.params.id)
    const gone = parse(users, req.body).block_users.map(({ user }) => ({ input: user, wa_id: user.replace(/\D/g, '') }))
    for (const { wa_id } of gone) account.blocked.delete(wa_id)
    return { messaging_product: 'whatsapp', block_users: { removed_users: gone } }
  })
}

/** `POST /{phone_number_id}`: the two-step PIN alone. */
export const changePin = (state: State, body: unknown) => {
  state.account.pin = parse(z.object({ pin: z.string().regex(/^\d{6}$/) }), body).pin
  return { success: true }
}

/** Where webhooks of this account go, when one asks for another address than the app's own. */
export const overrideOf = (req: Parameters<typeof recordOf>[0]): string | undefined =>
  z.object({ override_callback_uri: z.url().optional() }).safeParse(req.body).data?.override_callback_uri
