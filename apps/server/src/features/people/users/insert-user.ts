import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { AppError } from '../../../kit/errors.ts'

/** Throws ERR_DUPLICATED_EMAIL: an e-mail names one living person of the whole installation. */
export const insertUser = (tx: Tx, user: typeof users.$inferInsert) =>
  tx.db.insert(users).values(user).catch(emailTaken)

/** For `.catch()`: turns the database's refusal of a second user with the same e-mail into ours. */
export const emailTaken = (error: unknown): never => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  const isTaken =
    cause instanceof Error &&
    Reflect.get(cause, 'code') === '23505' &&
    Reflect.get(cause, 'constraint') === 'users_email'
  throw isTaken ? new AppError('ERR_DUPLICATED_EMAIL') : error
}
