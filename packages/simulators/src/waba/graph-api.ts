import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sampleMedia } from '../samples.ts'
import { recordOf } from '../simulator.ts'
import { addAccount, changePin, overrideOf } from './account.ts'
import { GraphError } from './errors.ts'
import { checkUpload, uploadLifeMs } from './media.ts'
import { readReceipt } from './outbound.ts'
import { addRequests } from './requests.ts'
import type { Review } from './review.ts'
import type { createSending } from './sending.ts'
import type { State } from './state.ts'
import { checkEdges, listTemplates, parseTemplate, pick } from './templates.ts'
import { addUploads, checkHandles } from './uploads.ts'

type Parts = { sending: ReturnType<typeof createSending>; review: Review }

/** The Graph API as the business calls it, in any version. */
export const addGraphApi = async (state: State, { sending, review }: Parts) => {
  const { core, options } = state

  const phoneNumber = () => ({
    id: options.phoneNumberId,
    display_phone_number: options.displayPhoneNumber,
    verified_name: state.businessName,
    quality_rating: state.account.quality,
    status: state.account.isRegistered ? 'CONNECTED' : 'PENDING',
    name_status: 'APPROVED',
    code_verification_status: state.account.isVerified ? 'VERIFIED' : 'NOT_VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: state.account.throughput },
    whatsapp_business_manager_messaging_limit: state.account.tier,
  })

  const ownPhone = (id: string) => {
    if (id !== options.phoneNumberId) throw unknownObject(id)
  }
  const ownAccount = (id: string) => {
    if (id !== options.wabaId) throw unknownObject(id)
  }

  core.app.setErrorHandler((error, _req, reply) => {
    const refusal = error instanceof GraphError ? error : new GraphError(...codeOf(error))
    return reply.code(refusal.status).send(refusal.toBody())
  })
  core.app.setNotFoundHandler((req, reply) => {
    const refusal = new GraphError(100, `Unknown path components: ${req.url}`)
    return reply.code(404).send(refusal.toBody())
  })
  await core.app.register(
    async (api: FastifyInstance) => {
      api.addHook('preHandler', async (req) => {
        if (req.headers.authorization !== `Bearer ${state.accessToken}`)
          throw new GraphError(190, 'Invalid OAuth access token')
      })

      addUploads(api, state)
      addAccount(api, state, ownPhone)
      addRequests(api, state, ownAccount)

      api.post<IdParam>('/:id/messages', async (req, reply) => {
        ownPhone(req.params.id)
        const receipt = readReceipt.safeParse(req.body)
        return receipt.success ? sending.markRead(receipt.data) : sending.send(req.body, reply)
      })
      api.post<IdParam>('/:id/calls', async (req) => {
        ownPhone(req.params.id)
        const call = z.object({ call_id: z.string(), action: z.literal('reject') }).safeParse(req.body)
        if (!call.success) throw new GraphError(100, 'The parameter call_id is required.')
        state.rejectedCalls.push(call.data.call_id)
        return { success: true }
      })
      api.post<IdParam>('/:id/media', async (req) => {
        ownPhone(req.params.id)
        const { body, files } = recordOf(req)
        const fields = z
          .looseObject({ messaging_product: z.literal('whatsapp'), type: z.string().optional() })
          .safeParse(body)
        if (!fields.success) throw new GraphError(100, 'The parameter messaging_product is required.')
        const file = files.file
        if (!file) throw new GraphError(100, 'The parameter file is required.')
        const { type = '' } = fields.data
        const isMore = file.mimeType === 'application/octet-stream' || type.startsWith(`${file.mimeType};`)
        const mimeType = (isMore && type) || file.mimeType // the form's parser keeps no codec
        checkUpload(mimeType, file.bytes.length)
        return { id: state.media.add({ bytes: file.bytes, mimeType, filename: file.filename }, uploadLifeMs).id }
      })
      api.get<IdParam>('/:id/phone_numbers', async (req) => {
        ownAccount(req.params.id)
        return { data: [phoneNumber()], paging: { cursors: { before: 'QVFI', after: 'QVFI' } } }
      })
      api.get<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        const app = {
          whatsapp_business_api_data: { id: '670000000000001', name: 'Balcão', link: 'https://example.com/' },
        }
        return { data: state.isSubscribed ? [app] : [] }
      })
      api.post<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        state.isSubscribed = true
        state.webhookUrl = overrideOf(req) ?? state.webhookUrl
        return { success: true }
      })
      api.delete<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        state.isSubscribed = false
        return { success: true }
      })
      api.get<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        return listTemplates(state.templates, recordOf(req).query)
      })
      api.post<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        checkEdges(parseTemplate(req.body))
        checkHandles(req.body, state.handles)
        const template = review.addTemplate(req.body, 'PENDING')
        review.reviewLater(template)
        return { id: template.id, status: template.status, category: template.category }
      })
      api.delete<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        const { name, hsm_id } = recordOf(req).query
        const gone = state.templates.filter((other) => other.name === name && (!hsm_id || other.id === hsm_id))
        if (gone.length === 0) throw new GraphError(100, 'Message Template not found', { subcode: 2593002 })
        for (const template of gone) review.forget(template)
        return { success: true }
      })
      api.get<IdParam>('/:id', async (req) => {
        const { id } = req.params
        const { query } = recordOf(req)
        if (id === options.phoneNumberId) return pick(phoneNumber(), query.fields)
        if (id === options.wabaId) return pick({ id, name: state.businessName, currency: 'BRL' }, query.fields)
        const template = state.templates.find((other) => other.id === id)
        if (template) return pick(template, query.fields)
        const stored = state.media.find(id)
        if (!stored || (query.phone_number_id && query.phone_number_id !== options.phoneNumberId))
          throw unknownObject(id)
        return {
          messaging_product: 'whatsapp',
          url: `${core.url}/whatsapp_business/attachments/?mid=${id}&hash=${state.media.newLink(id)}`,
          mime_type: stored.mimeType,
          sha256: stored.sha256,
          file_size: stored.bytes.length,
          id,
        }
      })
      api.post<IdParam>('/:id', async (req) => {
        if (req.params.id === options.phoneNumberId) return changePin(state, req.body)
        const template = state.templates.find((other) => other.id === req.params.id)
        if (!template) throw unknownObject(req.params.id)
        checkHandles(req.body, state.handles)
        review.edit(template, Object(req.body))
        return { success: true }
      })
      api.delete<IdParam>('/:id', async (req) => {
        if (!state.media.remove(req.params.id)) throw unknownObject(req.params.id)
        return { success: true }
      })
    },
    { prefix: '/:version(^v\\d+\\.\\d+$)' },
  )
  /** What `image_url` of a product and `profile_picture_url` may name: they open without a token. */
  for (const path of ['/catalog-pictures/:product', '/picture/:handle'])
    core.app.get(path, async (_req, reply) => {
      const { mimeType, bytes } = sampleMedia('image')
      return reply.type(mimeType).send(bytes)
    })
  core.app.get('/whatsapp_business/attachments/', async (req, reply) => {
    if (req.headers.authorization !== `Bearer ${state.accessToken}`)
      throw new GraphError(190, 'Invalid OAuth access token')
    const stored = state.media.open(recordOf(req).query.hash ?? '')
    if (!stored) return reply.code(404).send('URL signature expired')
    return reply.type(stored.mimeType).send(stored.bytes)
  })
}

type IdParam = { Params: { id: string } }

const unknownObject = (id: string) =>
  new GraphError(
    100,
    `Unsupported request. Object with ID '${id}' does not exist, or cannot be loaded due to missing permissions.`,
    {
      subcode: 33,
    },
  )

const codeOf = (error: unknown): [number, string, { status: number }?] => {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const text = error instanceof Error ? error.message : 'unknown'
  return status < 500 ? [100, text, { status }] : [131000, text]
}
