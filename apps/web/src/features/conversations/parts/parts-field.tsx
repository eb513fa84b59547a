import {
  blankPart,
  mostParts,
  type PartKind,
  partKinds,
  partLabels,
  type ShownPart,
} from '@balcao/contract/conversations/parts.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { VariableTextarea } from '../../contacts/variables/variable-textarea.tsx'
import { ChoicesField } from './choices-field.tsx'
import { PartFileField } from './part-file-field.tsx'
import { icons } from './part-icons.ts'
import classes from './parts-field.module.css'

type Props = {
  parts: readonly ShownPart[]
  onChange: (parts: ShownPart[]) => void
  /** What the form says of a field, by `parts.<index>.<field>`. */
  errorOf: (path: string) => ReactNode
  /** Of which field of the form they are. */
  name?: string
  most?: number
  offered?: readonly PartKind[]
}

/** The messages of an answer that is kept ready: written, put in order, taken out. */
export const PartsField = ({
  parts,
  onChange,
  errorOf,
  name = 'parts',
  most = mostParts,
  offered = partKinds,
}: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const change = (at: number, next: ShownPart) => onChange(parts.toSpliced(at, 1, next))
  const focus = (at: number, what: string) =>
    requestAnimationFrame(() => list.current?.children[at]?.querySelector<HTMLElement>(what)?.focus())
  const move = (at: number, to: number) => {
    const moved = parts[at]
    if (!moved || to < 0 || to >= parts.length) return
    onChange(parts.toSpliced(at, 1).toSpliced(to, 0, moved))
    focus(to, `[data-move="${to < at ? 'up' : 'down'}"]`)
  }
  const handleAdd = (kind: PartKind) => {
    onChange([...parts, { ...blankPart(kind), media: null }])
    focus(parts.length, 'textarea, button:not([data-move])')
  }
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>{parts.length > 1 ? 'Partes, na ordem do envio' : 'Mensagem'}</legend>
      <ol ref={list} className={classes.list} data-single={parts.length === 1}>
        {parts.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
          <li key={at} className={classes.part}>
            {(parts.length > 1 || one.kind !== 'text') && (
              <div className={classes.head}>
                <strong>{parts.length > 1 ? `${at + 1}. ${partLabels[one.kind]}` : partLabels[one.kind]}</strong>
                {parts.length > 1 && (
                  <>
                    <ActionIcon
                      size={32}
                      data-move="up"
                      aria-label={`Subir a parte ${at + 1}`}
                      disabled={at === 0}
                      onClick={() => move(at, at - 1)}
                    >
                      <IconArrowUp size={16} />
                    </ActionIcon>
                    <ActionIcon
                      size={32}
                      data-move="down"
                      aria-label={`Descer a parte ${at + 1}`}
                      disabled={at === parts.length - 1}
                      onClick={() => move(at, at + 1)}
                    >
                      <IconArrowDown size={16} />
                    </ActionIcon>
                  </>
                )}
                <ActionIcon
                  size={32}
                  data-move="out"
                  aria-label={`Remover a parte ${at + 1}`}
                  onClick={() =>
                    onChange(parts.length > 1 ? parts.toSpliced(at, 1) : [{ ...blankPart('text'), media: null }])
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </div>
            )}
            <PartFields
              part={one}
              label={parts.length > 1 ? `Texto da parte ${at + 1}` : 'Texto'}
              onChange={(next) => change(at, next)}
              errorOf={(field) => errorOf(`${name}.${at}.${field}`)}
            />
          </li>
        ))}
      </ol>
      {errorOf(name) && (
        <p className={classes.error} role="alert">
          {errorOf(name)}
        </p>
      )}
      {parts.length < most && (
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button variant="default" size="sm" leftSection={<IconPlus size={16} aria-hidden />}>
              Adicionar parte
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map((kind) => {
              const Icon = icons[kind]
              return (
                <Menu.Item key={kind} leftSection={<Icon size={17} aria-hidden />} onClick={() => handleAdd(kind)}>
                  {partLabels[kind]}
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      )}
    </fieldset>
  )
}

type PartProps = {
  part: ShownPart
  label: string
  onChange: (part: ShownPart) => void
  errorOf: (field: string) => ReactNode
}
/** One of them alone. */
export const PartFields = ({ part, label, onChange, errorOf }: PartProps) => {
  const { kind, body, media, interactive } = part
  const words = (of: { label: string; minRows: number; maxLength: number }) => (
    <VariableTextarea
      {...of}
      value={body}
      onChange={(next) => onChange({ ...part, body: next })}
      error={errorOf('body')}
    />
  )
  if (kind === 'text') return words({ label, minRows: 3, maxLength: 4_000 })
  if (kind === 'choices' && interactive)
    return (
      <ChoicesField
        value={interactive}
        onChange={(next) => onChange({ ...part, interactive: next })}
        error={errorOf('interactive')}
        optionError={(at) => errorOf(`interactive.options.${at}.title`)}
      >
        {words({ label, minRows: 2, maxLength: 1_024 })}
      </ChoicesField>
    )
  return (
    <>
      <PartFileField
        media={media}
        isVoice={kind === 'voice'}
        onChange={(next) => onChange({ ...part, media: next, mediaId: next?.id ?? null })}
        error={errorOf('mediaId')}
      />
      {kind === 'file' && media?.kind !== 'audio' && words({ label: 'Legenda', minRows: 1, maxLength: 1_024 })}
    </>
  )
}
