import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const roles = ['api', 'worker', 'sessions'] as const

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const address = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be an address beginning with ${protocols.map((name) => `${name}//`).join(' or ')}`,
  })

const wholeNumber = (from: number, to: number) => {
  const message = `must be a whole number from ${from} to ${to}`
  return z.coerce.number({ message }).int(message).min(from, message).max(to, message)
}
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { message: `must be one of ${values.join(', ')}` })

/** Every variable the product reads, each with a working default (ruling 27). */
const variables = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: address(['http:', 'https:']).optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: address(['postgres:', 'postgresql:']).optional(),
  DATABASE_OWNER_URL: address(['postgres:', 'postgresql:']).optional(),
  DATABASE_REPLICA_URL: address(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL: wholeNumber(2, 200).default(16),
  REDIS_URL: address(['redis:', 'rediss:']).optional(),
  STORAGE_URL: address(['file:', 's3:']).optional(),
  ROLES: list
    .pipe(z.array(oneOf(roles)).min(1, `must name at least one of ${roles.join(', ')}`))
    .default(['api', 'worker', 'sessions']),
  EGRESS_ALLOW: list.default([]),
  SMTP_URL: address(['smtp:', 'smtps:']).optional(),
  SMTP_FROM: z.string().default('Balcão <nao-responda@localhost>'),
  TRUST_PROXY: z.union([flag, z.string()]).default(false),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MEDIA_MAX_MB: wholeNumber(1, 2_000).default(100),
  APP_SECRET: z.string().min(32, 'is too weak: use at least 32 random characters, or leave it out').optional(),
})

export type Env = Omit<z.output<typeof variables>, 'APP_SECRET' | 'PUBLIC_URL'> & {
  APP_SECRET: string
  PUBLIC_URL: string
}

/** Reads and checks the configuration; throws one sentence that names the variable. */
export const readEnv = (source: Record<string, string | undefined>): Env => {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`Configuration: ${issue?.path[0]?.toString()} ${issue?.message ?? 'is not valid'}.`)
  }
  const DATA_DIR = resolve(parsed.data.DATA_DIR)
  return {
    ...parsed.data,
    DATA_DIR,
    APP_SECRET: parsed.data.APP_SECRET ?? storedSecret(DATA_DIR),
    PUBLIC_URL: (parsed.data.PUBLIC_URL ?? `http://localhost:${parsed.data.PORT}`).replace(/\/$/, ''),
  }
}

/** The installation's secret: made on first start, kept in the data folder for its owner's eyes only. */
const storedSecret = (dataDir: string) => {
  const file = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}

const readOrExit = () => {
  try {
    return readEnv(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

export const env: Env = readOrExit()
