import type { z } from 'zod'

/** What another side may leave out, or send in a shape of another day: then it is not there. */
export const loose = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
