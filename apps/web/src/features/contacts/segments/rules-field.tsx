import {
  type Condition,
  isGroup,
  mostConditions,
  mostDepth,
  type Segment,
} from '@balcao/contract/contacts/segments/segments.ts'
import { ActionIcon, Button, Select, Text } from '@mantine/core'
import { IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { conditionOn, type SegmentChoices } from './choices.ts'
import { ConditionField } from './condition-field.tsx'
import classes from './rules-field.module.css'

type Props = {
  rules: Segment
  onChange: (rules: Segment) => void
  choices: SegmentChoices
  /** What is wrong at a place of the rules (`rules.0.rules.1`). */
  errorOf: (path: string) => ReactNode
}

const words = [
  { value: 'all', label: 'Todas estas condições' },
  { value: 'any', label: 'Qualquer uma destas condições' },
  { value: 'none', label: 'Nenhuma destas condições' },
]
const joints = { all: 'e', any: 'ou', none: 'nem' }
const blank = (): Condition => conditionOn('tags')

/** The rules of a segment, group by group. */
export const RulesField = ({ rules, onChange, choices, errorOf }: Props) => (
  <Group
    group={rules}
    onChange={onChange}
    left={mostConditions - countOf(rules)}
    depth={1}
    path=""
    name="Regras"
    choices={choices}
    errorOf={errorOf}
  />
)
const countOf = ({ rules }: Segment): number =>
  rules.reduce((sum, rule) => sum + (isGroup(rule) ? countOf(rule) : 1), 0)

type GroupProps = Omit<Props, 'rules'> & {
  group: Segment
  /** How many conditions may still be added. */
  left: number
  depth: number
  path: string
  name: string
  onRemove?: () => void
}
const Group = ({ group, onChange, left, depth, path, name, onRemove, ...shared }: GroupProps) => {
  const list = useRef<HTMLDivElement>(null)
  const set = (index: number, rule: Condition | Segment | undefined) =>
    onChange({ ...group, rules: group.rules.flatMap((one, at) => (at === index ? (rule ?? []) : one)) })
  const add = (rule: Condition | Segment) => {
    onChange({ ...group, rules: [...group.rules, rule] })
    // The keyboard goes along to what was added.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(':scope > :last-child input:not([type="hidden"])')?.focus(),
    )
  }
  const remove = (index: number) => {
    set(index, undefined)
    requestAnimationFrame(() => list.current?.parentElement?.querySelector<HTMLElement>('[data-add]')?.focus())
  }
  return (
    <fieldset className={classes.group} data-nested={depth > 1 || undefined}>
      <legend className={classes.unseen}>{name}</legend>
      <div className={classes.head}>
        <Select
          className={classes.match}
          aria-label={`${name}: como se combinam`}
          data={words}
          value={group.match}
          allowDeselect={false}
          onChange={(match) => match && onChange({ ...group, match: match as Segment['match'] })}
        />
        {onRemove && (
          <ActionIcon aria-label={`Remover ${name.toLowerCase()}`} onClick={onRemove}>
            <IconTrash size={18} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      <div ref={list} className={classes.rules}>
        {group.rules.map((rule, index) => {
          const here = `${path}rules.${index}`
          const nth = `${name === 'Regras' ? '' : `${name}, `}${isGroup(rule) ? 'grupo' : 'condição'} ${index + 1}`
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no names; each shows only what it is given
            <div key={index} className={classes.rule}>
              {index > 0 && <span className={classes.joint}>{joints[group.match]}</span>}
              {isGroup(rule) ? (
                <Group
                  {...shared}
                  group={rule}
                  onChange={(next) => set(index, next)}
                  onRemove={() => remove(index)}
                  left={left}
                  depth={depth + 1}
                  path={`${here}.`}
                  name={capital(nth)}
                />
              ) : (
                <ConditionField
                  condition={rule}
                  onChange={(next) => set(index, next)}
                  onRemove={() => remove(index)}
                  name={capital(nth)}
                  error={shared.errorOf(here)}
                  choices={shared.choices}
                />
              )}
            </div>
          )
        })}
      </div>
      {group.rules.length === 0 && (
        <Text size="sm" c="dimmed">
          {group.match === 'any' ? 'Sem condições, ninguém é encontrado.' : 'Sem condições, todos são encontrados.'}
        </Text>
      )}
      <div className={classes.adds}>
        <Button
          data-add
          size="xs"
          variant="subtle"
          disabled={left <= 0}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => add(blank())}
        >
          Condição
        </Button>
        {depth < mostDepth && (
          <Button
            size="xs"
            variant="subtle"
            disabled={left <= 0}
            leftSection={<IconFolderPlus size={16} aria-hidden />}
            onClick={() => add({ match: group.match === 'any' ? 'all' : 'any', rules: [blank()] })}
          >
            Grupo
          </Button>
        )}
      </div>
    </fieldset>
  )
}
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
