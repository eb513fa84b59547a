import { configProblems, fieldsOf, secretsOf, shownConfig } from '@balcao/contract/core/providers/fields.ts'
import { portuguese } from '@balcao/contract/portuguese.ts'
import type { z } from 'zod'
import { seal, unseal } from './crypto.ts'
import { checkEgressHost, checkEgressUrl } from './egress.ts'
import { AppError, fieldErrors } from './errors.ts'

export type Config = Record<string, unknown>

/**
 * The settings of anything with credentials, by the schema of its definition: checked, with the fields marked `secret`
 * sealed and bound to their row, and shown to nobody afterwards. `rowId` is whose config it is.
 */
export const sealedConfig = (schema: z.ZodObject) => {
  const secrets = secretsOf(schema)
  const fields = fieldsOf(schema)
  const addresses = fields.filter(({ type }) => type === 'url' || type === 'host')

  const mapSecrets = (config: Config, change: (value: string) => string): Config =>
    Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name,
        secrets.includes(name) && typeof value === 'string' && value ? change(value) : value,
      ]),
    )
  const opened = (rowId: string, stored: Config) =>
    mapSecrets(stored, (value) => (value.startsWith('v1.') ? unseal(value, rowId) : value))

  /** As the provider's schema wants it, or the fields to correct. */
  const check = (given: Config): Config => {
    const shown = shownConfig(schema, { ...defaultsOf(fields), ...given })
    const problems = configProblems(schema, shown)
    if (problems.length) throw fieldErrors(...problems)
    const outcome = schema.safeParse(shown, { error: portuguese })
    // What is on no form is held by the whole schema.
    if (!outcome.success)
      throw fieldErrors(
        ...outcome.error.issues.map(({ path, message }) => ({ path: ['config', ...path].join('.'), message })),
      )
    const parsed: Config = outcome.data
    for (const { name, type } of addresses) {
      const value = parsed[name]
      if (typeof value === 'string') checkAddress(name, type === 'url' ? checkEgressUrl : checkEgressHost, value)
    }
    return parsed
  }

  /** The stored config with its secrets open. One sealed under a lost key is left out: the form asks for it again. */
  const read = (rowId: string, stored: Config): Config => {
    const readable = Object.entries(stored).map(([name, value]): [string, unknown] => {
      try {
        return [name, opened(rowId, { [name]: value })[name]]
      } catch {
        return [name, undefined]
      }
    })
    return Object.fromEntries(readable.filter(([, value]) => value !== undefined))
  }

  return {
    check,
    read,
    /** The config whole, for use. Throws when a secret cannot be opened or the schema asks for more by now. */
    open: (rowId: string, stored: Config, lent: Config = {}): Config =>
      schema.parse({ ...opened(rowId, stored), ...lent }),
    seal: (rowId: string, config: Config): Config => mapSecrets(config, (value) => seal(value, rowId)),
    /** Secrets leave as `true`: stored, unreadable. */
    hide: (config: Config): Config =>
      Object.fromEntries(
        Object.entries(config).map(([name, value]) => [name, secrets.includes(name) && value ? true : value]),
      ),
    /** Somebody has typed a secret. */
    writesSecret: (given: Config) => secrets.some((name) => typeof given[name] === 'string' && given[name] !== ''),
    /**
     * What the form sent, over what is stored: a secret left out, empty or `true` keeps its value, as long as it goes to
     * the same place; `null` takes an optional field away. `lent` is what its row has from elsewhere, and had before.
     */
    merge: (rowId: string, stored: Config, given: Config, lent: { is?: Config; was?: Config } = {}): Config => {
      const isKept = (name: string, value: unknown) => secrets.includes(name) && (value === '' || value === true)
      const changed = Object.entries(given).filter(([name, value]) => value !== undefined && !isKept(name, value))
      const before = read(rowId, stored)
      const merged = Object.entries({ ...before, ...Object.fromEntries(changed), ...lent.is })
      const config = check(Object.fromEntries(merged.filter(([, value]) => value !== null)))
      const kept = secrets.filter((name) => config[name] && before[name] && !changed.some(([typed]) => typed === name))
      const was = { ...before, ...lent.was }
      // Secrets are shown to nobody, and so they are sent to nobody new.
      if (kept.length && addresses.some(({ name }) => placeOf(was[name]) !== placeOf(config[name])))
        throw fieldErrors(
          ...kept.map((name) => ({ path: `config.${name}`, message: 'O endereço mudou: digite de novo.' })),
        )
      return config
    },
  }
}

const defaultsOf = (fields: ReturnType<typeof fieldsOf>): Config =>
  Object.fromEntries(fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])))

const checkAddress = (name: string, checked: (address: string) => unknown, value: string) => {
  try {
    checked(value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: `config.${name}`, message: error.message })
  }
}

const placeOf = (address: unknown) =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : address
