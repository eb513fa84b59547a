import { createPrivateKey, randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { failStart } from './kit/fail-start.ts'
import { keptSecret } from './kit/kept-file.ts'

const roles = ['api', 'worker', 'sessions'] as const

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const address = (protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      message: `deve ser um endereço que comece com ${protocols.map((name) => `${name}//`).join(' ou ')}`,
      abort: true,
    })
    .refine(isWhole, { message: 'deve ser um endereço completo, com o servidor e sem sinais de % soltos' })
const isWhole = (value: string) => {
  const url = new URL(value)
  try {
    if (url.protocol === 'file:') fileURLToPath(url)
    decodeURIComponent(url.username + url.password + url.pathname)
    return url.protocol === 'file:' || url.hostname !== ''
  } catch {
    return false
  }
}
/** Roles and passwords of the runtime go before the host; a question mark's would silently win over them. */
const database = address(['postgres:', 'postgresql:']).refine(
  (value) => !['user', 'password', 'host', 'port', 'dbname'].some((name) => new URL(value).searchParams.has(name)),
  { message: 'deve trazer usuário, senha, servidor e banco antes do ponto de interrogação' },
)
const isNetwork = (value: string) => ipaddr.isValid(value) || ipaddr.isValidCIDR(value)
const isHost = (value: string) => /^[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?$/u.test(value)
const isRsa = (pem: string) => {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 3072
  } catch {
    return false
  }
}

const wholeNumber = (from: number, to: number) => {
  const message = `deve ser um número inteiro de ${from} a ${to}`
  return z.coerce.number({ message }).int(message).min(from, message).max(to, message)
}
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { message: `deve ser um destes: ${values.join(', ')}` })

const isStrong = (secret: string) => secret.length >= 32 && new Set(secret).size >= 6

/** Every variable the product reads, each with a working default. */
const variables = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: address(['http:', 'https:'])
    .refine((value) => new URL(value).href === `${new URL(value).origin}/`, {
      message: 'não deve ter nada depois do servidor',
    })
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: database.optional(),
  DATABASE_OWNER_URL: database.optional(),
  DATABASE_REPLICA_URL: database.optional(),
  DATABASE_POOL: wholeNumber(4, 200).default(16),
  REDIS_URL: address(['redis:', 'rediss:']).optional(),
  STORAGE_URL: address(['file:', 's3:']).optional(),
  ROLES: list
    .pipe(z.array(oneOf(roles)).min(1, `deve trazer ao menos um destes: ${roles.join(', ')}`))
    .default(['api', 'worker', 'sessions']),
  EGRESS_ALLOW: list
    .refine((entries) => entries.every((entry) => isNetwork(entry) || isHost(entry)), {
      message: 'deve listar servidores, endereços ou redes (10.0.0.0/8), separados por vírgula',
    })
    .default([]),
  CEP_URL: address(['http:', 'https:']).default('https://brasilapi.com.br/api/cep/v2'),
  SMTP_URL: address(['smtp:', 'smtps:']).optional(),
  SMTP_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'deve ser um e-mail, como Loja <nao-responda@loja.com.br>',
    )
    .default('Balcão <nao-responda@localhost>'),
  GOOGLE_CLIENT_ID: z.string().trim().optional(),
  GOOGLE_CLIENT_SECRET: z.string().trim().optional(),
  MICROSOFT_CLIENT_ID: z.string().trim().optional(),
  MICROSOFT_CLIENT_SECRET: z.string().trim().optional(),
  MICROSOFT_AUTHORITY: address(['http:', 'https:'])
    .transform((value) => value.replace(/\/$/, ''))
    .default('https://login.microsoftonline.com/common/oauth2/v2.0'),
  TRUST_PROXY: list
    .refine((entries) => /^(true|false|\d)$/.test(entries.join()) || entries.every(isNetwork), {
      message: 'deve ser false, quantos proxies ficam na frente, ou os endereços ou redes deles',
    })
    .transform((entries) => {
      const [only = ''] = entries
      if (only === 'false') return false
      const hops = only === 'true' ? 1 : Number(only)
      // What the nearest proxies say counts, what a visitor claims behind them does not.
      return Number.isInteger(hops) ? (_address: string, hop: number) => hop < hops : entries
    })
    .default(false),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MEDIA_MAX_MB: wholeNumber(1, 2_000).default(100),
  APP_SECRET: z
    .string()
    .refine(isStrong, { message: 'é fraco demais: use ao menos 32 caracteres aleatórios, ou deixe em branco' })
    .optional(),
  LOGIN_KEY: z
    .string()
    .transform((text) => text.replaceAll('\\n', '\n'))
    .refine(isRsa, { message: 'deve ser uma chave privada RSA de ao menos 3072 bits, em PEM' })
    .optional(),
})

/** What is of use only together. */
const pairs = ['GOOGLE', 'MICROSOFT'].flatMap((whose) => {
  const [id, secret] = [`${whose}_CLIENT_ID`, `${whose}_CLIENT_SECRET`]
  return [
    [id, secret],
    [secret, id],
  ] as const
})

export type Env = Omit<z.output<typeof variables>, 'APP_SECRET' | 'PUBLIC_URL'> & {
  APP_SECRET: string
  PUBLIC_URL: string
}

/** Reads and checks the configuration; throws one sentence that names the variable. */
export const readEnv = (source: Record<string, string | undefined>): Env => {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path[0]?.toString()} ${issue?.message ?? 'não é válido'}.`)
  }
  for (const [one, other] of pairs) {
    if (given[one] && !given[other]) throw new Error(`${other} deve acompanhar ${one}.`)
  }
  const DATA_DIR = openFolder(resolve(parsed.data.DATA_DIR))
  return {
    ...parsed.data,
    DATA_DIR,
    APP_SECRET: parsed.data.APP_SECRET ?? storedSecret(DATA_DIR),
    PUBLIC_URL: (parsed.data.PUBLIC_URL ?? `http://localhost:${parsed.data.PORT}`).replace(/\/$/, ''),
  }
}

const openFolder = (folder: string) => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(`DATA_DIR ${folder} não é uma pasta em que podemos gravar (${code}).`)
  }
}

/** The installation's secret: made on first start. */
const storedSecret = (dataDir: string) => {
  const file = join(dataDir, 'secret')
  const secret = keptSecret(file, () => randomBytes(48).toString('base64url')).trim()
  if (isStrong(secret)) return secret
  throw new Error(`APP_SECRET, guardado em ${file}, está danificado: traga-o de volta de um backup.`)
}

const readOrExit = () => {
  try {
    return readEnv(process.env)
  } catch (error) {
    return failStart(error)
  }
}

export const env: Env = readOrExit()
