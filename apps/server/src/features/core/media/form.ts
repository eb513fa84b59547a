import type { FastifyRequest } from 'fastify'
import { fieldErrors } from '../../../kit/errors.ts'
import { storeFile } from './media.service.ts'

const mostFiles = 5
const mostFields = 60

/**
 * For calls that older programs make as a form: its fields become the body, as if they had come as JSON, and each of its
 * files the id of a stored one under its name: a list where the name is one of `lists`.
 */
export const takeForm =
  (lists: readonly string[] = []) =>
  async (req: FastifyRequest): Promise<void> => {
    if (!req.isMultipart()) return
    const fields = new Map<string, unknown>()
    const add = (name: string, value: unknown) => {
      const before = fields.get(name)
      const isList = before !== undefined || lists.includes(name)
      fields.set(name, isList ? [before ?? [], value].flat() : value)
    }
    let files = 0
    for await (const part of req.parts({ limits: { files: mostFiles + 1, fields: mostFields } })) {
      const name = part.fieldname.replace(/\[\]$/, '')
      if (part.type === 'field') {
        add(name, parsed(String(part.value)))
        continue
      }
      files += 1
      if (files > mostFiles) throw fieldErrors({ path: name, message: `Envie no máximo ${mostFiles} arquivos.` })
      const { tenantId, userId } = req.actor
      const { id } = await storeFile({
        ...{ tenantId, userId, stream: part.file, name: part.filename, declaredMime: part.mimetype },
      })
      add(name, id)
    }
    req.body = Object.fromEntries(fields)
  }

/** Lists and objects travel in a form as the text of their JSON. */
const parsed = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
