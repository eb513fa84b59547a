import { hashPassword } from '../../apps/server/src/features/people/auth/passwords.ts'
import { sealFor } from '../../apps/server/test/sealed.ts'
import type { Bench } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { percentile, rounded, tell } from '../report.ts'
import { agents, tenantId } from '../seed.ts'

/** What a stranger could learn by the clock: wrong passwords and forgotten ones, of e-mails we know and of others. */
export const measureAuth = async ({ db, server }: Bench) => {
  const real = await hashPassword('senha-de-medicao')
  await db.query('update users set password_hash = $2 where tenant_id = $1', [tenantId, real])
  const { body: key } = await ask(server.port, requestOf('GET', '/api/publicEncryptionKey'))
  const kinds = {
    'wrong password': {
      path: '/api/auth/login',
      body: (email: string) => ({ email, password: sealFor(key, 'errada') }),
    },
    'forgotten password': { path: '/api/password-reset', body: (email: string) => ({ email }) },
  }
  let address = 0
  for (const [name, { path, body }] of Object.entries(kinds)) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let n = 0; n < Math.min(80, agents); n += 1) {
      for (const who of ['known', 'unknown'] as const) {
        address += 1 // every one from another address: no limit slows the next
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `10.9.${Math.floor(address / 250)}.${(address % 250) + 1}`,
        }
        const email = who === 'known' ? `agente${n + 2}@medicao.local` : `ninguem${n}@medicao.local`
        const request = requestOf('POST', path, headers, JSON.stringify(body(email)))
        const at = performance.now()
        const { status, body: answer } = await ask(server.port, request)
        times[who].push(performance.now() - at)
        if (status !== 200 && status !== 401) throw new Error(`${name} answered ${status}: ${answer.slice(0, 200)}`)
      }
    }
    const [known, unknown] = [percentile(times.known, 50), percentile(times.unknown, 50)]
    const percent = (Math.abs(known - unknown) / Math.max(known, unknown)) * 100
    tell({
      name: `${name}, a known e-mail beside an unknown one, p50`,
      value: percent,
      unit: '% apart',
      target: '<= 10 % apart',
      ok: percent <= 10,
      compared: { knownMs: rounded(known), unknownMs: rounded(unknown) },
    })
  }
}
