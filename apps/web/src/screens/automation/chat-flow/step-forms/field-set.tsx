import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import classes from './field-set.module.css'

type Props<Row> = {
  legend: string
  rows: readonly Row[]
  /** "a opção", for those who listen. */
  what: string
  addLabel: string
  most: number
  onChange: (rows: Row[]) => void
  blank: () => Row
  children: (row: Row, change: (next: Partial<Row>) => void, at: number) => ReactNode
}

/** Things in a row of a form: added, put in order, taken out. */
export const FieldSet = <Row extends object>({
  legend,
  rows,
  what,
  addLabel,
  most,
  onChange,
  blank,
  children,
}: Props<Row>) => {
  const list = useRef<HTMLOListElement>(null)
  const focus = (at: number, wanted = 'input, textarea') =>
    requestAnimationFrame(() => list.current?.children[at]?.querySelector<HTMLElement>(wanted)?.focus())
  const move = (at: number, to: number) => {
    const row = rows[at]
    if (!row || to < 0 || to >= rows.length) return
    onChange(rows.toSpliced(at, 1).toSpliced(to, 0, row))
    focus(to, `[data-move="${to < at ? 'up' : 'down'}"]`)
  }
  return (
    <fieldset className={classes.set}>
      <legend className={classes.legend}>{legend}</legend>
      <ol ref={list} className={classes.rows}>
        {rows.map((row, at) => (
          <li key={'id' in row ? String(row.id) : at} className={classes.row}>
            <div className={classes.fields}>
              {children(row, (next) => onChange(rows.with(at, { ...row, ...next })), at)}
            </div>
            <div className={classes.tools}>
              {rows.length > 1 && (
                <>
                  <ActionIcon
                    size={26}
                    data-move="up"
                    aria-label={`Subir ${what} ${at + 1}`}
                    disabled={at === 0}
                    onClick={() => move(at, at - 1)}
                  >
                    <IconArrowUp size={15} />
                  </ActionIcon>
                  <ActionIcon
                    size={26}
                    data-move="down"
                    aria-label={`Descer ${what} ${at + 1}`}
                    disabled={at === rows.length - 1}
                    onClick={() => move(at, at + 1)}
                  >
                    <IconArrowDown size={15} />
                  </ActionIcon>
                </>
              )}
              <ActionIcon
                size={26}
                aria-label={`Remover ${what} ${at + 1}`}
                onClick={() => onChange(rows.toSpliced(at, 1))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </div>
          </li>
        ))}
      </ol>
      {rows.length < most && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => {
            onChange([...rows, blank()])
            focus(rows.length)
          }}
        >
          {addLabel}
        </Button>
      )}
    </fieldset>
  )
}
