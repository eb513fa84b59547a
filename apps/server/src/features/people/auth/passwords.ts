import { availableParallelism } from 'node:os'
import { newPassword } from '@balcao/contract/people/auth.ts'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'

/** OWASP's argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The hash of nobody's password: what an unknown e-mail is compared with, so that it takes as long as a known one. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$ebWJWxO3O3S9L1SlbjmR1w$9/GRwAoFHheXgvrqY8y59hFpW5zGtVyFCM55u6Y4v3U'

/** Throws ERR_PASSWORD_WEAK, told at the field `path`. */
export const hashPassword = async (password: string, path = 'password') => {
  const checked = newPassword.safeParse(password)
  if (!checked.success) {
    const message = checked.error.issues[0]?.message ?? ''
    throw new AppError('ERR_PASSWORD_WEAK', { message, details: [{ path, message }] })
  }
  return oneOfFew(() => hash(password, cost))
}

let checks = 0
/** How many passwords this process has compared with a hash. */
export const passwordChecks = () => checks

/** True when the password is the one behind `stored`; without a stored hash it takes the same time to say no. */
export const isPassword = (stored: string | undefined, password: string) =>
  oneOfFew(async () => {
    checks += 1
    const matches = await verify(stored ?? nobodysHash, password).catch(() => false) // a stored text that is no hash opens nothing
    return matches && stored !== undefined
  })

const atOnce = Math.max(2, availableParallelism())
const mayWait = 200
const limit = createLimit(atOnce)
let asked = 0

/** Hashes cost memory and CPU: a few at once, the others wait, a flood is told to come back. */
const oneOfFew = async <T>(work: () => Promise<T>): Promise<T> => {
  if (asked >= atOnce + mayWait) throw new AppError('ERR_UNAVAILABLE')
  asked += 1
  try {
    return await limit(work)
  } finally {
    asked -= 1
  }
}
