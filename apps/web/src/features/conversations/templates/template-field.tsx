import { isNumbered } from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate, TemplateShape, TemplateUse } from '@balcao/contract/channels/templates.ts'
import { Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { templateList } from './api.ts'
import { VariableInput } from './variable-input.tsx'

type Props = {
  connectionId: string
  /** What becomes of them without one: "Sem modelo, ficam sem parabéns." */
  without: string
  /** Whether there is a picture for one that carries it, and what to do where not; left out, those are not offered. */
  picture?: { isThere: boolean; missing: string }
  value: TemplateUse | null
  onChange: (value: TemplateUse | null) => void
}

/** The approved words for whoever has not written in the last 24 hours. */
export const TemplateField = ({ connectionId, without, picture, value, onChange }: Props) => {
  const list = useInfiniteQuery(templateList({ connectionId, searchParam: '', category: null }))
  const offered =
    list.data?.pages.flatMap(({ items }) => items).filter((one) => isFitting(one, picture !== undefined)) ?? []
  const chosen = offered.find(({ name, language }) => name === value?.name && language === value.language)
  const shape = chosen?.shape
  const setBody = (at: number, text: string) =>
    value && onChange({ ...value, body: value.body.map((one, index) => (index === at ? text : one)) })
  const setHeader = (text: string) => value && onChange({ ...value, header: [text] })
  return (
    <Stack gap="xs">
      <Select
        label="Modelo para quem não escreveu nas últimas 24 horas"
        description={`O WhatsApp só entrega a eles um modelo aprovado. ${without}`}
        placeholder={list.isPending ? 'Carregando…' : offered.length ? 'Sem modelo' : 'Nenhum modelo aprovado serve'}
        data={offered.map((one) => ({ value: keyOf(one), label: `${one.name} (${one.language})` }))}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': 'Sem modelo' }}
        value={chosen ? keyOf(chosen) : null}
        onChange={(key) => onChange(blankUse(offered.find((one) => keyOf(one) === key)))}
      />
      {shape && value && (
        <>
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
            {shape.body.text}
          </Text>
          {shape.header?.kind === 'text' && shape.header.places.length > 0 && (
            <VariableInput label="No cabeçalho" maxLength={60} value={value.header[0] ?? ''} onChange={setHeader} />
          )}
          {shape.body.places.map((place, at) => (
            <VariableInput
              key={place}
              label={isNumbered(shape.body.places) ? `No lugar de {{${place}}}` : place}
              maxLength={1_024}
              value={value.body[at] ?? ''}
              onChange={(text) => setBody(at, text)}
            />
          ))}
          {shape.header?.kind === 'image' && picture && !picture.isThere && (
            <Text size="sm" c="red">
              {picture.missing}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

/** Words, at most with our picture: what else it needs nobody could give for all of them. */
const isFitting = ({ shape }: MessageTemplate, hasPicture: boolean) =>
  shape !== null &&
  (!shape.header || shape.header.kind === 'text' || (hasPicture && shape.header.kind === 'image')) &&
  !shape.buttons.some(({ takesValue }) => takesValue)
const keyOf = ({ name, language }: MessageTemplate) => `${name} ${language}`
const blankUse = (template: MessageTemplate | undefined): TemplateUse | null =>
  template?.shape ? { name: template.name, language: template.language, ...blankValues(template.shape) } : null
/** It begins with the name more often than not. */
const blankValues = ({ header, body }: TemplateShape) => ({
  body: body.places.map((_, at) => (at === 0 ? '{{primeiro_nome}}' : '')),
  header: header?.kind === 'text' ? header.places.map(() => '{{primeiro_nome}}') : [],
  buttons: {},
})
