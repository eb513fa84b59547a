import type { Prepared } from './database.ts'

/**
 * The commit of this transaction does not wait for the disk. What a crash of the machine takes of it (moments) has to come
 * again by itself, or be told as not known; what is committed after it with the disk keeps it too.
 */
export const unhurried: Prepared = {
  name: 'unhurried',
  text: `select set_config('synchronous_commit', 'off', true)`,
}
