import type { Connection } from '@balcao/contract/channels/connections.ts'
import { isNumbered, priceText, templateText } from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate, TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { CampaignContent } from '@balcao/contract/operations/campaigns/content.ts'
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { GoTo } from '../../../ui/go-to.tsx'
import { VariablesHere } from '../../contacts/variables/use-variables.ts'
import { approvedTemplates } from '../../conversations/templates/api.ts'
import { categoryLabel } from '../../conversations/templates/category.ts'
import { HeaderFile } from '../../conversations/templates/header-file.tsx'
import { VariableInput } from '../../conversations/templates/variable-input.tsx'
import { blankUse } from './blank-use.ts'
import classes from './campaigns.module.css'

type Props = {
  /** The official number whose templates are on offer. */
  connection: Connection | undefined
  content: CampaignContent
  media: Media | null
  onChange: (content: CampaignContent, media?: Media | null) => void
  errorOf: (path: string) => ReactNode
}

/** The approved words of an official number, with what goes into each of their places. */
export const TemplateContent = ({ connection, content, media, onChange, errorOf }: Props) => {
  const list = useQuery({ ...approvedTemplates(connection?.id ?? ''), enabled: connection !== undefined })
  const offered = list.data?.filter(({ shape }) => shape !== null) ?? []
  const columns = useContext(VariablesHere).map(({ name }) => name)
  const { template: use } = content
  const chosen = offered.find((one) => one.name === use?.name && one.language === use.language)
  const shape = chosen?.shape
  const set = (patch: Partial<TemplateUse>) => use && onChange({ ...content, template: { ...use, ...patch } })
  if (!connection)
    return (
      <div className={classes.missing}>
        <Text size="sm">Escolha abaixo um canal oficial do WhatsApp: os modelos aprovados dele aparecem aqui.</Text>
      </div>
    )
  return (
    <>
      <Select
        label="Modelo aprovado"
        description={`Do canal ${connection.name}. Fora das 24 horas, o WhatsApp só entrega um modelo.`}
        placeholder={list.isPending ? 'Carregando…' : offered.length ? 'Escolha o modelo' : 'Nenhum modelo aprovado'}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Sem modelo' }}
        nothingFoundMessage="Nada encontrado"
        data={offered.map((one) => ({ value: keyOf(one), label: `${one.name} (${one.language})` }))}
        value={chosen ? keyOf(chosen) : null}
        onChange={(key) => {
          const next = offered.find((one) => keyOf(one) === key)
          onChange({
            ...content,
            template: next?.shape ? blankUse(next, next.shape, columns) : null,
            templateMediaId: null,
          })
        }}
        error={
          errorOf('template') ??
          (use && list.isSuccess && !chosen ? 'Este modelo não está mais aprovado neste canal.' : undefined)
        }
      />
      {offered.length === 0 && list.isSuccess && (
        <div className={classes.missing}>
          <Text size="sm" mb="xs">
            {connection.name} ainda não tem um modelo aprovado. Crie um, ou espere a Meta aprovar o que já enviou.
          </Text>
          <GoTo to="/modelos" label="Ver modelos" />
        </div>
      )}
      {shape && use && (
        <>
          <div className={classes.templateText}>{templateText(shape, use) || shape.body.text}</div>
          {chosen && (
            <Text size="sm" c="dimmed">
              Categoria {categoryLabel(chosen.category)}
              {chosen.price !== null && ` · ${priceText(chosen.price)} por mensagem entregue`}
            </Text>
          )}
          {shape.header && shape.header.kind !== 'text' && (
            <HeaderFile
              kind={shape.header.kind}
              media={media}
              onChange={(next) => onChange({ ...content, templateMediaId: next?.id ?? null }, next)}
              error={textIn(errorOf('templateMediaId'))}
            />
          )}
          {shape.header?.places.map((place, at) => (
            <VariableInput
              key={place}
              label={isNumbered([place]) ? `No cabeçalho, no lugar de {{${place}}}` : place}
              maxLength={60}
              value={use.header[at] ?? ''}
              error={textIn(errorOf(`template.header.${at}`))}
              onChange={(text) => set({ header: use.header.with(at, text) })}
            />
          ))}
          {shape.body.places.map((place, at) => (
            <VariableInput
              key={place}
              label={isNumbered(shape.body.places) ? `No lugar de {{${place}}}` : place}
              maxLength={1_024}
              value={use.body[at] ?? ''}
              error={textIn(errorOf(`template.body.${at}`))}
              onChange={(text) => set({ body: use.body.with(at, text) })}
            />
          ))}
          {shape.buttons.map(
            (button, at) =>
              button.takesValue && (
                <VariableInput
                  // biome-ignore lint/suspicious/noArrayIndexKey: a button is known by its place
                  key={at}
                  label={button.kind === 'code' ? 'Código do botão' : `Final do link “${button.text}”`}
                  maxLength={2_000}
                  value={use.buttons[at] ?? ''}
                  error={textIn(errorOf(`template.buttons.${at}`))}
                  onChange={(text) => set({ buttons: { ...use.buttons, [at]: text } })}
                />
              ),
          )}
        </>
      )}
    </>
  )
}

const textIn = (node: ReactNode) => (typeof node === 'string' ? node : undefined)
const keyOf = ({ name, language }: Pick<MessageTemplate, 'name' | 'language'>) => `${name} ${language}`
