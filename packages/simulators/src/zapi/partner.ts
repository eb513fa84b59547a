import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import type { Route } from './routes.ts'
import { dayMs, newInstance, type State, ZapiError } from './state.ts'

/** What a partner of Z-API does with instances: makes one, lists it, pays for it, gives it up. */
export const addPartnerRoutes = (state: State, route: Route) => {
  const { core, options, instance } = state
  const requirePartner = ({ authorization }: IncomingHttpHeaders) => {
    if (!options.partnerToken || authorization !== `Bearer ${options.partnerToken}`)
      throw new ZapiError(401, 'Unauthorized')
  }
  const shown = () => ({ id: options.instanceId, token: options.instanceToken, due: instance.due })

  core.app.get('/instances', (req) => {
    requirePartner(req.headers)
    const { query } = recordOf(req)
    const isFound = options.instanceId && instance.name.includes(query.query ?? '')
    const content = isFound ? [{ ...shown(), name: instance.name, paymentStatus: instance.paymentStatus }] : []
    return { total: content.length, totalPage: 1, pageSize: 20, page: 1, content }
  })
  core.app.post('/instances/integrator/on-demand', (req) => {
    requirePartner(req.headers)
    const { name } = z.object({ name: z.string().min(1) }).parse(recordOf(req).body)
    Object.assign(instance, newInstance(name, core.now(), 'TRIAL'))
    Object.assign(options, {
      instanceId: randomBytes(16).toString('hex').toUpperCase(),
      instanceToken: randomBytes(12).toString('hex').toUpperCase(),
    })
    return shown()
  })
  route('POST', 'integrator/on-demand/subscription', ({ headers, reply }) => {
    requirePartner(headers)
    Object.assign(instance, { paymentStatus: 'PAID', due: core.now() + 30 * dayMs })
    void reply.code(201)
    return 'OK'
  })
  route('POST', 'integrator/on-demand/cancel', ({ headers, reply }) => {
    requirePartner(headers)
    instance.paymentStatus = 'CANCELED'
    void reply.code(201)
    return 'OK'
  })
}
