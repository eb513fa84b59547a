import { blankGrant, type Grant, toolKinds, toolLabels } from '@balcao/contract/automation/assistants/tools.ts'
import { type Pipeline, pipelineResource, type Stage, stageResource } from '@balcao/contract/sales/pipelines.ts'
import {
  ActionIcon,
  Button,
  Menu,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { calendarsQuery } from '../../../features/automation/assistants/api.ts'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { MoneyField } from '../../../ui/money-input.tsx'
import type { Values } from './config-fields.tsx'
import classes from './editor.module.css'

/** What it was granted, one by one; what is not here does not exist for it. */
export const GrantsField = ({ form }: { form: UseFormReturnType<Values> }) => {
  const all = form.values.config.grants
  const offered = toolKinds.filter((kind) => kind === 'orders' || !all.some((one) => one.kind === kind))
  return (
    <>
      <Text size="sm" c="dimmed">
        Só o que estiver nesta lista. Passar para uma pessoa ele sempre pode.
      </Text>
      {all.map((grant, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a kind may come twice, and the form knows them by their place
        <div key={at} className={classes.grant}>
          <div className={classes.grantHead}>
            <div>
              <Text size="sm" fw={600}>
                {toolLabels[grant.kind].label}
              </Text>
              <Text size="xs" c="dimmed">
                {toolLabels[grant.kind].help}
              </Text>
            </div>
            <ActionIcon
              size={36}
              aria-label={`Tirar ${toolLabels[grant.kind].label}`}
              onClick={() => form.removeListItem('config.grants', at)}
            >
              <IconTrash size={17} stroke={1.75} />
            </ActionIcon>
          </div>
          <GrantFields form={form} grant={grant} path={`config.grants.${at}`} />
          {grant.kind !== 'contact' && grant.kind !== 'orders' && (
            <Switch
              label="O cliente confirma antes"
              disabled={grant.kind === 'pix' || grant.kind === 'calendar'}
              {...form.getInputProps(`config.grants.${at}.confirm`, { type: 'checkbox' })}
            />
          )}
        </div>
      ))}
      {offered.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} style={{ alignSelf: 'start' }}>
              Permitir uma ação
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map((kind) => (
              <Menu.Item key={kind} onClick={() => form.insertListItem('config.grants', blankGrant(kind))}>
                {toolLabels[kind].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

type Props = { form: UseFormReturnType<Values>; grant: Grant; path: string }
const GrantFields = ({ form, grant, path }: Props) => {
  const { rows } = useNames()
  const pipelines =
    useQuery({ ...allRows<Pipeline>(pipelineResource), enabled: grant.kind === 'opportunity' }).data ?? []
  const stages = useQuery({ ...allRows<Stage>(stageResource), enabled: grant.kind === 'opportunity' }).data ?? []
  const calendars = useQuery({ ...calendarsQuery, enabled: grant.kind === 'calendar' }).data ?? []
  const inputOf = (field: string) => form.getInputProps(`${path}.${field}`)
  const many = (field: string, label: string, those: readonly { id: string; name: string }[], all = 'Todas') => (
    <MultiSelect
      label={label}
      placeholder={all}
      searchable
      data={those.map(({ id, name }) => ({ value: id, label: name }))}
      {...inputOf(field)}
    />
  )
  switch (grant.kind) {
    case 'addTags':
    case 'addContactTags':
      return many('tagIds', 'Etiquetas', rows.tags)
    case 'transfer':
      return many('queueIds', 'Filas', rows.queues)
    case 'close':
      return many('reasonIds', 'Motivos', rows.reasons, 'Todos')
    case 'orders':
      return (
        <>
          <TextInput
            label="Nome da consulta"
            description="Como o modelo a chama."
            maxLength={40}
            {...inputOf('name')}
          />
          <Textarea
            label="O que responde"
            placeholder="A situação de um pedido pelo número"
            autosize
            maxLength={300}
            {...inputOf('description')}
          />
          <TextInput
            label="Endereço"
            description="Recebe um POST com a consulta e o contato; responde JSON."
            placeholder="https://erp.loja.com.br/pedido"
            {...inputOf('url')}
          />
        </>
      )
    case 'calendar':
      return (
        <>
          <Select
            label="Agenda"
            description="Uma agenda autorizada em Configurações, Google Agenda."
            placeholder={calendars.length ? 'Escolha' : 'Nenhuma agenda conectada'}
            data={calendars.map(({ id, name }) => ({ value: id, label: name }))}
            {...inputOf('calendarId')}
          />
          <NumberInput label="Duração (minutos)" min={10} max={480} allowDecimal={false} {...inputOf('minutes')} />
          <NumberInput label="Oferecer os próximos dias" min={1} max={60} allowDecimal={false} {...inputOf('days')} />
          <NumberInput
            label="Antecedência mínima (horas)"
            min={0}
            max={720}
            allowDecimal={false}
            {...inputOf('noticeHours')}
          />
          <TextInput
            label="Título do compromisso"
            description="Pode usar variáveis, como {{name}}."
            maxLength={120}
            {...inputOf('title')}
          />
        </>
      )
    case 'schedule':
      return <NumberInput label="Até quantos dias à frente" min={1} max={366} {...inputOf('mostDays')} />
    case 'opportunity':
      return (
        <>
          <Select
            label="Funil"
            data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
            {...inputOf('pipelineId')}
          />
          <Select
            label="Etapa"
            data={stages
              .filter(({ pipelineId }) => pipelineId === grant.pipelineId)
              .map(({ id, name }) => ({ value: id, label: name }))}
            {...inputOf('stageId')}
          />
        </>
      )
    case 'pix':
      return (
        <>
          <TextInput label="Chave Pix" maxLength={77} {...inputOf('key')} />
          <TextInput label="Nome de quem recebe" maxLength={25} {...inputOf('name')} />
          <TextInput label="Cidade" maxLength={15} {...inputOf('city')} />
          <MoneyField
            label="Valor máximo"
            error={inputOf('mostCents').error}
            cents={grant.mostCents}
            onCents={(value) => form.setFieldValue(`${path}.mostCents`, value)}
          />
        </>
      )
    default:
      return null
  }
}
