import { databaseProblem } from './database-problem.ts'

/**
 * What a client makes under an id of its own choice is made once, however often it is asked for: pressed twice, or again
 * because the answer was lost on the way. Whatever the later ones stumble over, the row of that id is their answer, where
 * this person finds it.
 */
export const madeOnce = async <Row>(
  id: string | undefined,
  make: () => Promise<Row>,
  find: (id: string) => Promise<Row>,
): Promise<Row> => {
  try {
    return await make()
  } catch (error) {
    const made = id === undefined ? undefined : await find(id).catch(() => undefined)
    if (made === undefined) throw databaseProblem(error)
    return made
  }
}
