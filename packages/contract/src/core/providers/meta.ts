import { z } from 'zod'
import type { FieldMeta } from './define.ts'

/** The schema inside `.default()`, `.optional()`, `.nullable()` and the like. */
export const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  const inner = innerOf(schema)
  return inner ? unwrapped(inner) : schema
}

/** A field's form hints, whether `.meta()` was written before or after `.default()`. */
export const metaOf = (schema: z.core.$ZodType): Partial<FieldMeta> => {
  const inner = innerOf(schema)
  return { ...(inner && metaOf(inner)), ...z.globalRegistry.get(schema) }
}

const innerOf = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodPipe) return schema.in
  const isWrapper =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  return isWrapper ? schema.unwrap() : undefined
}
