import {
  type Keyword,
  type KeywordMode,
  keywordModeLabels,
  keywordModes,
} from '@balcao/contract/service/auto-replies.ts'
import { ActionIcon, Button, Input, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import classes from './keywords-field.module.css'

type Props = {
  words: readonly Keyword[]
  onChange: (words: Keyword[]) => void
  /** What the form says of a field, by `keywords.<index>.<field>`. */
  errorOf: (path: string) => ReactNode
}
const modes = keywordModes.map((value) => ({ value, label: keywordModeLabels[value] }))

/** The words that call an answer, each with how it is looked for. */
export const KeywordsField = ({ words, onChange, errorOf }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  const focus = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-word]')[at]?.focus())
  const change = (at: number, next: Partial<Keyword>) =>
    onChange(words.map((one, index) => (index === at ? { ...one, ...next } : one)))
  const handleAdd = () => {
    onChange([...words, { text: '', mode: words.at(-1)?.mode ?? 'contains' }])
    focus(words.length)
  }
  const handleRemove = (at: number) => {
    onChange(words.toSpliced(at, 1))
    focus(Math.max(0, at - 1))
  }
  return (
    <Input.Wrapper
      label="Palavras"
      labelElement="div"
      description="Acentos, maiúsculas e pontuação não contam. “Parecido com” aceita erros de digitação."
      error={errorOf('keywords')}
    >
      <div ref={list} className={classes.list}>
        {words.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word has no name but its place
          <div key={at} className={classes.row}>
            <Select
              aria-label={`Como procurar a palavra ${at + 1}`}
              className={classes.mode}
              data={modes}
              allowDeselect={false}
              value={one.mode}
              onChange={(mode) => change(at, { mode: mode as KeywordMode })} // one of those offered
            />
            <TextInput
              data-word
              aria-label={`Palavra ${at + 1}`}
              className={classes.text}
              placeholder="segunda via"
              maxLength={60}
              value={one.text}
              error={errorOf(`keywords.${at}.text`)}
              onChange={(event) => change(at, { text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !one.text.trim()) return
                event.preventDefault()
                handleAdd()
              }}
            />
            <ActionIcon aria-label={`Remover a palavra ${at + 1}`} onClick={() => handleRemove(at)}>
              <IconTrash size={17} stroke={1.75} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {words.length < 50 && (
        <Button
          mt={6}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={handleAdd}
        >
          Adicionar palavra
        </Button>
      )}
    </Input.Wrapper>
  )
}
