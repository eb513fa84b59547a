import { type ErrorCode, isErrorCode } from '@balcao/contract/errors.ts'
import { type FormErrors, useForm } from '@mantine/form'
import { useEffect, useEffectEvent, useState } from 'react'
import { sayAfterPress } from './after-press.ts'
import { type ApiError, isApiError, messageOf } from './api-error.ts'
import { changeLines } from './changes.ts'
import { useNewId } from './use-new-id.ts'

type Versioned = { version: number }
type Options<Row extends Versioned, Values extends object> = {
  /** Null while it is being made. */
  row: Row | null
  valuesOf: (row: Row | null) => Values
  validate: (values: Values) => FormErrors
  /** Writes over `base`, whose version says what was read; creates where there is none, under the id of these values. */
  save: (values: Values, base: Row | null, newId: string) => Promise<Row>
  /** `written`: what the form held. */
  onSaved: (saved: Row, written: Values) => void
  /** How people call a field, in the summary and in what a colleague changed. */
  labelOf: (field: string) => string
  /** A value as people read it, where the field holds a code. */
  textOf?: (field: string, row: Row) => unknown
  /** What is wrong already is said at once: somebody was refused for it. */
  isRefused?: boolean
  /** The field a refusal belongs to, where the server names none. */
  refusedField?: Partial<Record<ErrorCode, string>>
}

/**
 * A row being made or changed in a drawer. What the server refuses goes to its field and keeps what was typed; what a
 * colleague saved meanwhile is shown, and waits for a decision. `drawer` and `conflict` are spread where they belong.
 */
export const useRowForm = <Row extends Versioned, Values extends object>(options: Options<Row, Values>) => {
  const { row, valuesOf, labelOf, textOf, refusedField } = options
  const [base, setBase] = useState(row)
  const [theirs, setTheirs] = useState<Row | null>(null)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const newIdOf = useNewId()
  const form = sayAfterPress(
    useForm<Values>({
      initialValues: valuesOf(row),
      initialErrors: options.isRefused ? options.validate(valuesOf(row)) : {},
      validate: options.validate,
      validateInputOnBlur: true,
    }),
  )
  const dirty = form.isDirty()

  const show = (next: Row) => {
    const values = valuesOf(next)
    form.setValues(values)
    form.resetDirty(values) // what was typed before is no change any more
    form.clearErrors()
    setBase(next)
  }
  // A colleague saved while this form only lay open: show theirs. Once something is typed, saving will ask, unless
  // nothing of what the form holds has changed.
  const follow = useEffectEvent((next: Row) => {
    if (!base || next.version <= base.version) return
    const theirValues = JSON.stringify(valuesOf(next))
    if (!dirty || theirValues === JSON.stringify(form.getValues())) show(next)
    else if (theirValues === JSON.stringify(valuesOf(base))) setBase(next)
  })
  useEffect(() => {
    if (row) follow(row)
  }, [row])

  const save = async (over: Row | null) => {
    setBusy(true)
    setProblem(null)
    setRefusal(null)
    setTheirs(null)
    try {
      const written = form.getValues()
      const saved = await options.save(written, over, newIdOf(written))
      show(saved)
      options.onSaved(saved, written)
    } catch (error) {
      tellFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const tellFailure = (error: unknown) => {
    const refused = isApiError(error) ? error : null
    const current = refused?.code === 'ERR_CONFLICT' && currentIn<Row>(refused.details)
    if (current) return setTheirs(current)
    const field = refused && isErrorCode(refused.code) ? refusedField?.[refused.code] : undefined
    const named = refused?.problems ?? []
    const problems = named.length === 0 && field ? [{ path: field, message: messageOf(error) }] : named
    form.setErrors(Object.fromEntries(problems.map((one) => [one.path, one.message])))
    setProblem(messageOf(error))
    setRefusal(refused)
  }

  const changesOf = (before: Row, after: Row) => {
    const [old, next] = [valuesOf(before), valuesOf(after)]
    return changeLines(
      Object.keys(next).map((field) => ({
        label: labelOf(field),
        before: textOf?.(field, before) ?? Reflect.get(old, field),
        after: textOf?.(field, after) ?? Reflect.get(next, field),
      })),
    )
  }

  const lines = Object.entries(form.errors).map(([path, message]) => `${labelOf(path)}: ${String(message)}`)
  return {
    form,
    base,
    /** The last refusal, for who can say more about it. */
    refusal,
    drawer: {
      onSubmit: form.onSubmit(() => void save(base)),
      dirty,
      busy,
      problems: problem && lines.length === 0 ? [problem] : lines.length > 1 || problem ? lines : [],
    },
    conflict: theirs &&
      base && {
        changes: changesOf(base, theirs),
        onReload: () => {
          show(theirs)
          setTheirs(null)
        },
        onOverwrite: () => void save(theirs),
      },
  }
}

/** What stands now, of a refusal because somebody else saved first. */
export const currentIn = <Row extends Versioned>(details: unknown): Row | null => {
  const found: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'current') : null
  return typeof found === 'object' && found !== null && 'version' in found ? (found as Row) : null // the server's own row, as GET would answer
}
