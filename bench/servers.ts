import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import type { BarePlan } from './bare.ts'
import { ask, requestOf } from './load.ts'

const root = path.resolve(import.meta.dirname, '..')
/** As `npm start` sets it, like the flag below (scripts/run.mjs). */
const compiled = path.join(root, 'node_modules/.cache/balcao/compiled')
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export type Running = { port: number; pid: number; startMs: number; stop: () => Promise<void> }

/** `BENCH_PROFILE=<folder>`: each server leaves a profile of its processor time there when it ends. */
const profile = process.env.BENCH_PROFILE
const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []

/** As `npm start` gives them. */
const v8Flags = ['--max-semi-space-size=16', '--heap-growing-percent=40', '--v8-pool-size=1']

/** The product as `npm start` runs it, on the seeded data folder. */
export const startServer = async (env: Record<string, string>): Promise<Running> => {
  const port = await freePort()
  return start(
    [...v8Flags, ...profiling, 'apps/server/dist/main.js'],
    { MALLOC_ARENA_MAX: '2', ...env, PORT: String(port) },
    port,
    (env.ROLES ?? 'api').includes('api') ? 'Balcão está aberto' : '', // one without people says nothing
  )
}

/** Fastify and pg alone, answering recorded statements. */
export const startBare = async (plan: BarePlan): Promise<Running> => {
  const port = await freePort()
  return start(['bench/bare.ts'], { BARE_PORT: String(port), BARE_PLAN: JSON.stringify(plan) }, port, 'bare is open')
}

const start = async (args: string[], env: Record<string, string>, port: number, sign: string): Promise<Running> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
    children.delete(child)
  }
  children.add(child)
  await (sign ? untilItSays(child, sign) : untilItAnswers(port))
  return { port, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop }
}

const untilItSays = (child: ChildProcess, sign: string) =>
  new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      if (said.includes(sign)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`Ended with ${code} before it was open:\n${said}`)))
  })

const untilItAnswers = async (port: number) => {
  for (;;) {
    const isOpen = await ask(port, requestOf('GET', '/health')).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const freePort = async () => {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return address && typeof address === 'object' ? address.port : 0
}

/** What the server tells of itself at /metrics. */
const metric = async (port: number, name: string) => {
  const { body } = await ask(port, requestOf('GET', '/metrics'))
  const line = new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(body)?.[1]
  if (line === undefined) throw new Error(`/metrics does not tell ${name}`)
  return Number(line)
}
export const statementsOf = (server: Running) => metric(server.port, 'balcao_statements_total')
export const residentMb = async (server: Running) => (await metric(server.port, 'process_resident_memory_bytes')) / 1e6
