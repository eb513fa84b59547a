import { setTimeout as pause } from 'node:timers/promises'
import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { startBaileysSimulator } from '@balcao/simulators/baileys.ts'
import type pg from 'pg'
import { tenantId } from './seed.ts'
import { v7 } from './uuid.ts'

export type Phone = { id: string; simulator: Awaited<ReturnType<typeof startBaileysSimulator>>; number: string }

/** Phones linked to the company by QR code, each by a connection of its own; `options` as a form would write them. */
export const linkPhones = async (db: pg.Pool, many: number, options: object = {}): Promise<Phone[]> => {
  const phones = await Promise.all(
    Array.from({ length: many }, async (_, n) => ({
      id: v7(),
      simulator: await startBaileysSimulator({ codeMs: { first: 600_000, next: 600_000 } }),
      number: `5511${900_000_000 + n}`,
    })),
  )
  for (const { id, simulator } of phones)
    await db.query(
      `insert into connections (tenant_id, id, kind, name, config, abilities, options, uses_session, hook_secret, queue_id)
        select $1, $2, 'baileys', $3, $4, $5, $6, true, 'bench', (select id from queues where tenant_id = $1 limit 1)`,
      [
        tenantId,
        id,
        `Telefone ${id}`,
        { deviceName: 'Balcão', server: simulator.address },
        JSON.stringify(abilitiesOf('baileys', {})),
        JSON.stringify(options),
      ],
    )
  await until(() => phones.every(({ simulator }) => simulator.devices() > 0), 120_000)
  for (const { simulator, number } of phones) simulator.scan(number, 'Loja')
  await online(phones)
  return phones
}

export const online = (phones: Phone[], withinMs = 60_000) =>
  until(() => phones.every(({ simulator }) => simulator.isOnline()), withinMs)

export const until = async (isSo: () => boolean | Promise<boolean>, withinMs: number) => {
  for (const end = performance.now() + withinMs; !(await isSo()); await pause(20))
    if (performance.now() > end) throw new Error('It took too long')
}

export const unlinkPhones = async (db: pg.Pool, phones: Phone[]) => {
  await db.query('update connections set deleted_at = now() where tenant_id = $1 and id = any($2::uuid[])', [
    tenantId,
    phones.map(({ id }) => id),
  ])
  await Promise.all(phones.map(({ simulator }) => simulator.close()))
}
