import {
  assistantHours,
  assistantHoursLabels,
  type assistantResource,
} from '@balcao/contract/automation/assistants/assistants.ts'
import { botKinds } from '@balcao/contract/core/integrations/bots.ts'
import { botLabels } from '@balcao/contract/people/settings.ts'
import type { WriteOf } from '@balcao/contract/resource.ts'
import { Anchor, MultiSelect, NumberInput, Select, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { accountsQuery, basesQuery } from '../../../features/automation/assistants/api.ts'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { queueOptions } from '../../../features/core/pickers/options.ts'
import { MoneyInput } from '../../../ui/money-input.tsx'
import { ConnectionAccounts } from './connection-accounts.tsx'
import classes from './editor.module.css'
import { GrantsField } from './grants-field.tsx'

export type Values = WriteOf<typeof assistantResource>
type Form = UseFormReturnType<Values>

const hours = assistantHours.map((value) => ({ value, label: assistantHoursLabels[value] }))
const bots = new Set<string>(botKinds)
const nothing = 'Nada encontrado.'
const languages = [
  { value: 'customer', label: 'No idioma do cliente' },
  { value: 'portuguese', label: 'Sempre em português' },
]
const voices = [
  { value: 'never', label: 'Nunca' },
  { value: 'toAudio', label: 'Quando o cliente manda áudio' },
  { value: 'always', label: 'Sempre' },
]
const asOptions = (rows: readonly { id: string; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: id, label: name }))

/** Who it is, who answers for it, what it knows and may do, where it works, and when a person goes on. */
export const ConfigFields = ({ form }: { form: Form }) => {
  const accounts = useQuery(accountsQuery).data ?? []
  const bases = useQuery(basesQuery).data ?? []
  const connections = useQuery(connectionList).data ?? []
  const queues = useQuery(queueOptions).data ?? []
  const { getInputProps: inputOf, values } = form
  const accountOptions = accounts.map(({ id, name, bot }) => ({ value: id, label: `${name} (${botLabels[bot]})` }))
  const check = (path: string) => inputOf(path, { type: 'checkbox' })
  // What it says, knows and does is set up where the bot is.
  const isBot = accounts.some(({ id, kind }) => id === values.config.integrationIds[0] && bots.has(kind))
  return (
    <div className={classes.column}>
      <Group title="Quem é">
        <TextInput label="Nome" required maxLength={60} {...inputOf('name')} />
        {!isBot && (
          <>
            <Textarea
              label="Personalidade"
              description="Como fala e como trata o cliente."
              placeholder="Você é a Aurora, atendente da loja. Fala com simpatia e vai direto ao ponto."
              autosize
              minRows={2}
              maxLength={2_000}
              {...inputOf('config.persona')}
            />
            <VariableTextarea
              label="O que faz"
              placeholder="Tire dúvidas sobre pedidos, trocas e entregas. Nunca invente prazos."
              maxRows={24}
              maxLength={20_000}
              {...inputOf('config.prompt')}
              value={values.config.prompt}
              onChange={(prompt) => form.setFieldValue('config.prompt', prompt)}
            />
            <Select label="Idioma" data={languages} allowDeselect={false} {...inputOf('config.language')} />
          </>
        )}
      </Group>

      <Group title="Quem responde por ele">
        <MultiSelect
          label="Contas, na ordem"
          description={
            isBot
              ? 'O robô responde como foi montado: textos, conhecimento e ações ficam nele. Se não puder, a equipe continua.'
              : 'A primeira responde; as outras, se ela não puder.'
          }
          placeholder={values.config.integrationIds.length ? undefined : 'Escolha'}
          data={accountOptions}
          maxValues={5}
          searchable
          nothingFoundMessage={nothing}
          {...inputOf('config.integrationIds')}
        />
        {!accounts.length && (
          <Text size="sm" c="dimmed">
            Ainda não há contas de inteligência artificial.{' '}
            <Anchor component={Link} to="/integracoes" size="sm">
              Acrescentar em Integrações
            </Anchor>
          </Text>
        )}
        {!isBot && (
          <TextInput
            label="Modelo"
            description="Em branco, o que está na conta."
            maxLength={120}
            {...inputOf('config.model')}
            value={values.config.model ?? ''}
            onChange={(event) => form.setFieldValue('config.model', event.currentTarget.value || null)}
          />
        )}
        {accounts.length > 0 && (
          <ConnectionAccounts form={form} accounts={accountOptions} connections={asOptions(connections)} />
        )}
        {!isBot && (
          <>
            <NumberInput
              label="Tamanho máximo da resposta"
              description="Em tokens: 600 são uns três parágrafos."
              min={50}
              max={4_000}
              allowDecimal={false}
              {...inputOf('config.maxOutputTokens')}
            />
            <MoneyInput
              label="Orçamento por mês"
              description="Em branco, só o da empresa. Quando acaba, a equipe responde."
              error={inputOf('config.budgetCents').error}
              value={values.config.budgetCents === null ? '' : (values.config.budgetCents ?? 0) / 100}
              onChange={(value) =>
                form.setFieldValue('config.budgetCents', value === '' ? null : Math.round(Number(value) * 100))
              }
            />
          </>
        )}
      </Group>

      {!isBot && (
        <>
          <Group title="O que sabe">
            <MultiSelect
              label="Bases de conhecimento"
              placeholder={values.config.knowledgeIds.length ? undefined : 'Nenhuma'}
              data={asOptions(bases)}
              searchable
              nothingFoundMessage={nothing}
              {...inputOf('config.knowledgeIds')}
            />
            <Anchor component={Link} to="/conhecimento" size="sm">
              Abrir o conhecimento
            </Anchor>
            <Switch
              label="Olhar as imagens do cliente"
              description="JPEG, PNG, WebP e GIF de até 5 MB, se o modelo da conta vê imagens. Dados pessoais numa imagem não são escondidos."
              {...check('config.reads.images')}
            />
            <Switch
              label="Ler os documentos do cliente"
              description="PDF, DOCX, XLSX e texto de até 5 MB: o modelo recebe o PDF, ou o texto do documento."
              {...check('config.reads.documents')}
            />
          </Group>

          <Group title="O que pode fazer">
            <GrantsField form={form} />
          </Group>
        </>
      )}

      <Group title="Onde e quando responde">
        <Switch
          label="Todas as conversas novas"
          description="Começa sozinho. Desligado, só quando alguém liga na conversa."
          {...check('allTickets')}
        />
        <MultiSelect
          label="Canais"
          placeholder={values.connectionIds.length ? undefined : 'Todos'}
          data={asOptions(connections)}
          searchable
          nothingFoundMessage={nothing}
          {...inputOf('connectionIds')}
        />
        <MultiSelect
          label="Filas"
          placeholder={values.queueIds.length ? undefined : 'Todas'}
          data={asOptions(queues)}
          searchable
          nothingFoundMessage={nothing}
          {...inputOf('queueIds')}
        />
        <Select label="Horário" data={hours} allowDeselect={false} {...inputOf('hours')} />
        <NumberInput
          label="Esperar antes de responder"
          description="Segundos sem o cliente escrever: várias mensagens viram uma resposta."
          min={0}
          max={60}
          allowDecimal={false}
          {...inputOf('config.waitSeconds')}
        />
        <Switch
          label="Terminar a resposta em andamento"
          description="O que chega enquanto ele pensa fica para a resposta seguinte. Desligado, ele recomeça com tudo."
          {...check('config.esperarProcessamento')}
        />
        {!isBot && (
          <>
            <Select
              label="Responder em áudio"
              description="Com a conta que tem modelo de voz, nos canais que levam áudio. Textos longos ou com endereço vão escritos."
              data={voices}
              allowDeselect={false}
              {...inputOf('config.voice')}
            />
            <Switch
              label="Mostrar a resposta enquanto escreve"
              description="No chat do site e no Telegram. Nos outros canais ela chega inteira."
              {...check('config.streams')}
            />
          </>
        )}
        <TagsInput
          label="Palavras de parada"
          description="A mensagem inteira: ele para e a equipe continua."
          maxTags={20}
          {...inputOf('config.stopWords')}
        />
        <TagsInput
          label="Palavras para recomeçar"
          description="Ele esquece a conversa até aqui."
          maxTags={20}
          {...inputOf('config.restartWords')}
        />
        <Switch label="Ativo" description="Desligado, não responde em nenhuma conversa." {...check('isActive')} />
      </Group>

      <Group title="Quando passa para a equipe">
        <Switch label="O cliente pede uma pessoa" {...check('config.handOver.asked')} />
        {!isBot && <Switch label="Ele não tem certeza" {...check('config.handOver.unsure')} />}
        <Switch label="O cliente está irritado" {...check('config.handOver.angry')} />
        {!isBot && <Switch label="A resposta não está no que ele sabe" {...check('config.handOver.outside')} />}
        <Switch
          label="O assunto é dinheiro"
          description="Reembolso, cobrança errada, dívida."
          {...check('config.handOver.money')}
        />
        <NumberInput
          label="Depois de quantas respostas"
          description="Em branco, nunca por isso."
          min={1}
          max={100}
          allowDecimal={false}
          {...inputOf('config.handOver.afterTurns')}
          value={values.config.handOver.afterTurns ?? ''}
          onChange={(value) => form.setFieldValue('config.handOver.afterTurns', value === '' ? null : Number(value))}
        />
        <Select
          label="Fila"
          placeholder="A mesma em que está"
          clearable
          clearButtonProps={{ 'aria-label': 'Manter a fila' }}
          data={asOptions(queues)}
          {...inputOf('config.handOver.queueId')}
        />
        <Textarea
          label="O que diz ao cliente"
          description="Em branco, nada."
          autosize
          minRows={2}
          maxLength={1_000}
          {...inputOf('config.handOver.message')}
        />
        <Switch label="Deixar um resumo para quem assume" {...check('config.handOver.summary')} />
      </Group>
    </div>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{title}</legend>
    {children}
  </fieldset>
)
