import { setTimeout as pause } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { type Bench, bearer } from '../bench.ts'
import { load } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'
import { activeCustomers, sweep, webhook } from '../webhook.ts'

const run = Date.now().toString(36)
const perSecond = 20

/** A company's contacts come in from one file, while its customers write: how long it takes, and what they feel. */
export const measureContactImport = async (bench: Bench) => {
  await sweep(bench.db)
  await bench.db.query(forgetImported, [tenantId]) // what a run that was cut short left
  const server = await bench.restart()
  const many = Math.round(100_000 * Math.min(1, bench.scale * 10))
  const screen = await watch(server.port, bench.admin.token)
  const customers = await activeCustomers(bench.db)
  /** Customers write until it is over; how soon the screen shows it. */
  const listen = async (isOver: (seconds: number) => Promise<boolean>) => {
    screen.seen.length = 0
    const sending: Promise<unknown>[] = []
    for (let seconds = 0; !(await isOver(seconds)); seconds += 1) {
      const startedAt = performance.now()
      for (let n = 0; n < perSecond; n += 1) {
        await pause(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()))
        const customer = customers[(seconds * perSecond + n) % customers.length]
        if (!customer) continue
        const body = `Bom dia ${run} #${screen.sentAt.size}`
        const request = webhook(customer, body)
        screen.sentAt.set(body, performance.now())
        sending.push(load({ port: server.port, connections: 1, count: 1, next: () => request }))
      }
    }
    await Promise.all(sending)
    await pause(500)
    return percentile(screen.seen, 95)
  }
  const call = async (method: string, path: string, body?: BodyInit) => {
    const json = { 'content-type': 'application/json' }
    const headers = { ...bearer(bench.admin), ...(typeof body === 'string' && json) }
    const reply = await fetch(`http://127.0.0.1:${server.port}/api${path}`, { method, headers, ...(body && { body }) })
    const answer = await reply.json()
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  await listen(async (seconds) => seconds >= 3)
  const before = await listen(async (seconds) => seconds >= 10)

  const form = new FormData()
  form.append('file', new File([sheet(many)], 'clientes.csv', { type: 'text/csv' }))
  const { rows: known } = await bench.db.query<{ n: number }>(countContacts, [tenantId])
  const [startedAt, startedMs] = [performance.now(), Date.now()]
  const importing = call('POST', '/contacts/upload?start=true', form)
  let uploadedS = 0
  let mostMb = 0
  let id = ''
  void importing.then((made) => {
    uploadedS = (performance.now() - startedAt) / 1_000
    id = made.id
  })
  const during = await listen(async (seconds) => {
    mostMb = Math.max(mostMb, await residentMb(server))
    if (seconds >= 300) throw new Error('The import does not end')
    return id !== '' && (await call('GET', `/contacts/imports/${id}`)).state === 'done'
  })
  const done = await call('GET', `/contacts/imports/${id}`)
  const tookS = (Date.parse(done.finishedAt) - startedMs) / 1_000
  const after = await listen(async (seconds) => seconds >= 10)
  const quietMs = (before + after) / 2
  atMost((60 * many) / 100_000, {
    name: `${many} contacts imported from a CSV: read, checked, written`,
    value: tookS,
    unit: 's',
    compared: {
      readS: rounded(uploadedS),
      writtenS: rounded((Date.parse(done.finishedAt) - Date.parse(done.startedAt)) / 1_000),
      created: done.counts.created,
      before: known[0]?.n ?? 0,
      serverMb: rounded(mostMb),
    },
  })
  atMost(2, {
    name: 'inbound to a screen beside an import of contacts, p95, times the quiet one',
    value: during / quietMs,
    unit: 'x',
    compared: { quietBeforeMs: rounded(before), quietAfterMs: rounded(after), besideMs: rounded(during) },
  })
  const undoneAt = performance.now()
  await call('POST', `/contacts/imports/${id}/undo`, '{}')
  while ((await call('GET', `/contacts/imports/${id}`)).state !== 'undone') await pause(250)
  atMost((120 * many) / 100_000, {
    name: `${many} imported contacts taken back`,
    value: (performance.now() - undoneAt) / 1_000,
    unit: 's',
  })
  screen.close()
  await sweep(bench.db)
}

const forgetImported = 'delete from contacts where tenant_id = $1 and import_id is not null'
const countContacts = 'select count(*)::int as n from contacts where tenant_id = $1'

const [firstNames, lastNames, cities] = [
  ['Maria', 'José', 'Ana', 'João', 'Antônia', 'Francisco', 'Luíza', 'Paulo'],
  ['Silva', 'Santos', 'Oliveira', 'Souza', 'Pereira', 'Costa', 'Almeida', 'Gonçalves'],
  ['São Paulo;SP', 'Belo Horizonte;MG', 'Curitiba;PR', 'Goiânia;GO'],
]
/** Every tenth writes an old number, without the ninth digit. */
const sheet = (many: number) => {
  const one = (n: number) => {
    const digits = String(70_000_000 + n)
    const name = `${firstNames[n % 8]} ${lastNames[Math.floor(n / 8) % 8]} ${n}`
    return `${name};(9${1 + (n % 9)}) ${n % 10 ? '9' : ''}${digits.slice(0, 4)}-${digits.slice(4)};cliente${n}.${run}@exemplo.com.br;${cities[n % 4]};Lista ${run}`
  }
  return `Nome;Celular;E-mail;Cidade;UF;Etiquetas\n${Array.from({ length: many }, (_, n) => one(n)).join('\n')}\n`
}

/** Somebody who sees every message as it comes. */
const watch = async (port: number, token: string) => {
  const [sentAt, seen] = [new Map<string, number>(), [] as number[]]
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth: { token }, forceNew: true })
  socket.on('message.created', ({ message }: { message: { body: string } }) => {
    const at = sentAt.get(message.body)
    if (at !== undefined) seen.push(performance.now() - at)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return { sentAt, seen, close: () => socket.disconnect() }
}
