import { type FlowNode, isDrawing, type NodeKind, nodeLabels } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { fold } from '@balcao/contract/contacts/segments/fold.ts'
import { type ActionKind, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import { TextInput } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { leadsOn } from './edits.ts'
import { actionsLike, kinds, kindsLike, palette } from './kinds.ts'
import classes from './step-picker.module.css'
import { useOfferedActions } from './use-offered-actions.ts'

type Choice = { key: string; label: string; hint: string; kind: NodeKind; run: () => void }
type Props = {
  at: { x: number; y: number }
  /** What follows a port can also be a step that is there already. */
  steps: readonly FlowNode[] | null
  /** On a line only what leads on can stand. */
  isBetween: boolean
  /** `action`: what a step of actions begins with. */
  onAdd: (kind: NodeKind, action?: ActionKind) => void
  onLink: (id: string) => void
  onClose: () => void
}
const width = 300
const height = 380

/** What comes next: found by a word, chosen by arrows, mouse or finger. */
export const StepPicker = ({ at, steps, isBetween, onAdd, onLink, onClose }: Props) => {
  const [text, setText] = useState('')
  const [marked, setMarked] = useState(0)
  const panel = useClickOutside(onClose)
  const possible = palette
    .flatMap(({ kinds: some }) => some)
    .filter((kind) => (isBetween ? leadsOn(kind) : !(steps && isDrawing(kind))))
  const offered: Choice[] = kindsLike(possible, text).map((kind) => ({
    key: kind,
    label: nodeLabels[kind],
    hint: kinds[kind].hint,
    kind,
    run: () => onAdd(kind),
  }))
  const acts: Choice[] = actionsLike(useOfferedActions(), text).map((action) => ({
    ...{ key: action, label: definitionOf(action).label, hint: 'Num passo de ações.', kind: 'action' },
    run: () => onAdd('action', action),
  }))
  const wanted = fold(text.trim())
  const existing: Choice[] = (steps ?? [])
    .filter((node) => node.kind !== 'start' && !isDrawing(node.kind) && wanted && fold(titleOf(node)).includes(wanted))
    .slice(0, 20)
    .map((node) => ({
      key: node.id,
      label: `Ligar a “${titleOf(node)}”`,
      hint: 'Um passo que já existe.',
      kind: node.kind,
      run: () => onLink(node.id),
    }))
  const choices = [...offered, ...acts, ...existing]
  const current = Math.min(marked, choices.length - 1)
  const handleKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) {
      event.preventDefault()
      const next = (current + by + choices.length) % Math.max(choices.length, 1)
      setMarked(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choices[current]?.run()
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
  }
  return (
    <div
      ref={panel}
      className={classes.picker}
      role="dialog"
      aria-label="Escolher o próximo passo"
      style={{
        left: Math.max(8, Math.min(at.x, window.innerWidth - width - 8)),
        top: Math.max(8, Math.min(at.y, window.innerHeight - height - 8)),
      }}
    >
      <TextInput
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="passos"
        aria-activedescendant={choices.length ? optionId(current) : undefined}
        aria-label="Buscar passo"
        placeholder={
          isBetween ? 'O que entra aqui?' : steps ? 'O que vem depois? Ou um passo que já existe' : 'Buscar passo'
        }
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setMarked(0)
        }}
        onKeyDown={handleKey}
      />
      <div id="passos" role="listbox" aria-label="Passos" className={classes.options}>
        {choices.map(({ key, label, hint, kind, run }, index) => {
          const { icon: Icon } = kinds[kind]
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
            <div
              key={key}
              id={optionId(index)}
              role="option"
              aria-selected={index === current}
              className={classes.option}
              onMouseMove={() => setMarked(index)}
              onClick={run}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              <span className={classes.words}>
                <span className="truncate">{label}</span>
                <span className={classes.hint}>{hint}</span>
              </span>
            </div>
          )
        })}
        {choices.length === 0 && <p className={classes.none}>Nenhum passo com estas palavras.</p>}
      </div>
    </div>
  )
}
const optionId = (at: number) => `passo-${at}`
