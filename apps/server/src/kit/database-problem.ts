import type { ErrorCode, FieldProblem } from '@balcao/contract/errors.ts'
import pg from 'pg'
import { AppError, fieldErrors } from './errors.ts'

type Meaning = {
  /** The form's fields; the first is what a row is called by. */
  fields?: readonly string[]
  /** The code per table that still points to the row. */
  inUse?: Partial<Record<string, ErrorCode>>
}

/**
 * What a refusal of the database means to a person: a taken value, a reference to what is not there, a row still in
 * use. Anything else comes back as it is. Under row-level security PostgreSQL names no column, so the constraint's
 * name tells: `tags_name`, `quick_messages_tenant_id_queue_id_queues_…_fk`.
 */
export const databaseProblem = (error: unknown, { fields = [], inUse = {} }: Meaning = {}): unknown => {
  const cause = causeOf(error)
  if (!cause) return error
  const { code = '', constraint = '', table = '', detail = '' } = cause

  if (code === '23505') {
    const named = camel(constraint.replace(`${table}_`, ''))
    const path = fields.includes(named) ? named : (fields[0] ?? '')
    return new AppError('ERR_DUPLICATED', { details: [{ path, message: 'Já existe um registro com este valor.' }] })
  }
  if (code === '23503' && detail.includes('not present')) {
    const path = camel(/_tenant_id_(\w+?_id)_/.exec(constraint)?.[1] ?? '')
    return fieldErrors({ path, message: 'O registro escolhido não existe mais.' })
  }
  if (code === '23503' || code === '23001') return new AppError(inUse[table] ?? 'ERR_IN_USE')
  const unfit = unfitData(error)
  return unfit ? fieldErrors(unfit) : error
}

/** A value that PostgreSQL cannot hold, whatever our schemas thought of it: its code's first letters tell the kind. */
export const unfitData = (error: unknown): FieldProblem | undefined => {
  const code = causeOf(error)?.code ?? ''
  if (/^(22007|22008|22009)$/.test(code)) return { path: '', message: 'Data ou hora fora do calendário.' }
  if (code === '22003') return { path: '', message: 'Número fora do limite.' }
  if (code === '54000') return { path: '', message: 'O texto é longo demais.' }
  return code.startsWith('22') ? { path: '', message: 'O texto contém caracteres inválidos.' } : undefined
}

const causeOf = (error: unknown) => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof pg.DatabaseError ? cause : undefined
}

const camel = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
