import type { GatewayKind } from '@balcao/contract/channels/hosts.ts'
import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Simulator } from '@balcao/simulators/simulator.ts'
import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { startWuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { placesOf } from '../../../../test/traces.ts'
import { log } from '../../../kit/log.ts'
import { checkDue } from '../../channels/connections/check.loop.ts'
import { createMediaFetcher } from '../../conversations/messages/media-fetcher.ts'
import { settleInbound } from './inbound.service.ts'

const { as, seedTenant, app, schema, withTenant } = await startTestApp()
const delivery = { retryDelaysMs: [] }
let address = ''
const logged: string[] = []
beforeAll(async () => {
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  log.level = 'trace'
  const out = Reflect.get(log, pino.symbols.streamSym)
  vi.spyOn(out, 'write').mockImplementation((line: unknown) => logged.push(String(line)))
})
afterAll(() => {
  log.level = 'silent'
  vi.restoreAllMocks()
})
/** Simulators cannot reach the public address of a rehearsal. */
const here = (url: string) => url.replace(/^https?:\/\/[^/]+/, address)

type Stage = {
  simulator: Simulator
  /** What the administrator types, and what is made of it at the gateway. */
  given: Record<string, string>
  learned: () => (string | undefined)[]
  heard: () => void
  scan: () => Promise<unknown>
  write: () => Promise<unknown>
  leave: () => Promise<unknown>
}
const picture = sampleMedia('image')
const key = (of: string) => `segredo-${of}-4f9a1c77e0`

/** The hub has no phone and no code: its secrets are proven with its channels. */
const gateways: Record<Exclude<GatewayKind, 'hub'>, () => Promise<Stage>> = {
  evolution: async () => {
    const simulator = await startEvolutionSimulator({ globalKey: key('global'), delivery })
    const instance = () => [...simulator.instances.values()][0]
    const ana = simulator.customer({ name: 'Ana' })
    return {
      simulator,
      given: { apiKey: key('global') },
      learned: () => [instance()?.token],
      heard: () => {
        const { webhook } = instance() ?? {}
        if (webhook) webhook.url = here(webhook.url)
      },
      scan: async () => simulator.scan(instance()?.name ?? ''),
      write: () => ana.sendMedia('image', picture, 'Olha'),
      leave: async () => simulator.drop(instance()?.name ?? '', 401),
    }
  },
  uazapi: async () => {
    const simulator = await startUazapiSimulator({ adminToken: key('admin'), delivery })
    const ana = simulator.customer({ name: 'Ana' })
    const instance = () => simulator.instances[0]
    return {
      simulator,
      given: { adminToken: key('admin') },
      learned: () => [instance()?.token],
      heard: () => {
        for (const one of instance()?.webhooks ?? []) one.url = here(one.url)
      },
      scan: async () => simulator.scan(instance()?.name ?? ''),
      write: () => ana.sendMedia('image', picture, 'Olha'),
      leave: async () => simulator.drop(instance()?.name ?? '', '401: logged out'),
    }
  },
  wuzapi: async () => {
    const simulator = await startWuzapiSimulator({ adminToken: key('admin'), delivery })
    const ana = simulator.customer({ name: 'Ana' })
    const user = () => simulator.users[0]
    return {
      simulator,
      given: { adminToken: key('admin') },
      learned: () => [user()?.token, user()?.hmacKey],
      heard: () => Object.assign(user() ?? {}, { webhook: here(user()?.webhook ?? '') }),
      scan: async () => simulator.scan(user()?.name ?? ''),
      write: () => ana.sendMedia('image', picture, 'Olha'),
      leave: async () => simulator.drop(user()?.name ?? '', 401),
    }
  },
  zapi: async () => {
    const given = { clientToken: key('conta'), partnerToken: key('parceiro') }
    const simulator = await startZapiSimulator({ ...given, delivery })
    const ana = simulator.customer({ name: 'Ana' })
    return {
      simulator,
      given,
      learned: () => {
        const [token] = simulator.requests.flatMap(({ path }) => /\/token\/(\w+)\//.exec(path)?.slice(1) ?? [])
        return [token, new URL(simulator.instance.hooks.received ?? address).searchParams.get('key') ?? undefined]
      },
      heard: () => simulator.setWebhooks(here(simulator.instance.hooks.received ?? '')),
      scan: () => simulator.scan(),
      write: () => ana.sendMedia('image', picture, 'Olha'),
      leave: () => simulator.drop(),
    }
  },
}

test.each(Object.entries(gateways))(
  '%s: what opens it is in no table, no line of the log and no answer',
  async (kind, start) => {
    const { tenantId, admin } = await seedTenant()
    const { simulator, given, learned, heard, scan, write, leave } = await start()
    afterAll(() => simulator.close())
    const answers: unknown[] = []
    const ask = async (method: 'get' | 'post' | 'put', path: string, body?: object) => {
      const answer = await as(admin)[method](path, body)
      answers.push(answer.body)
      return answer
    }
    logged.length = 0
    const config = { ...given, baseUrl: simulator.url }
    const { status, body } = await ask('post', '/whatsapp', { kind, name: 'Loja', config })
    expect(status).toBe(201)
    heard()
    await scan()
    for (let n = 0; n < 2; n += 1) await write()
    await simulator.idle()
    await settleInbound()
    const rows = await withTenant(tenantId, (tx) => tx.db.select().from(schema.journal))
    expect(rows.filter(({ state }) => state === 'done').length).toBeGreaterThan(1)

    // What goes wrong is told, and logged, without what it was tried with.
    const words = `Not with ${Object.values(given).join(' ')}`
    const echo = { error: words, response: { message: [words] } }
    for (const status of [401, 422, 500]) {
      simulator.faults.next({ status, body: echo, times: 10 })
      const { body: told } = await ask('post', `/whatsapp/${body.id}/test`)
      simulator.faults.clear()
      if (status === 422) expect(JSON.stringify(told)).toContain('Not with …')
    }
    const media = createMediaFetcher()
    simulator.faults.next({ status: 500, body: echo, times: 10 })
    await media.claim(() => undefined)
    await media.finish()
    simulator.faults.clear()
    await leave()
    await simulator.idle()
    await settleInbound()
    await withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ checkDueAt: new Date(0) }))
    await checkDue()
    await ask('put', `/whatsapp/${body.id}`, { name: 'Loja do centro', config: given })
    await ask('post', '/integrations', { kind, name: 'Servidor', config })
    for (const path of [
      '/whatsapp',
      `/whatsapp/${body.id}`,
      '/integrations',
      '/gateways',
      '/audit',
      `/whatsapp/${body.id}/journal`,
    ])
      await ask('get', path)
    for (const { id } of rows) await ask('get', `/whatsapp/${body.id}/journal/${id}`)

    const secrets = [...Object.values(given), ...learned().flatMap((one) => one ?? [])]
    expect(secrets.length).toBeGreaterThan(Object.keys(given).length)
    expect(logged.length).toBeGreaterThan(0)
    for (const secret of secrets) {
      expect(await placesOf(tenantId, secret.replace(/\W/g, '.'))).toEqual([])
      expect(logged.join('\n')).not.toContain(secret)
      expect(JSON.stringify(answers)).not.toContain(secret)
    }
  },
)
